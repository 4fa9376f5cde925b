# SPDX-License-Identifier: MIT
# collections, apart from deque and defaultdict.
import sys as _sys
from _collections import defaultdict, deque, to_front as _to_front, tuplegetter as _tuplegetter

_keywords = set("""False None True and as assert async await break class continue def del elif else except finally
for from global if import in is lambda nonlocal not or pass raise return try while with yield""".split())


def _is_mapping(x):
    if isinstance(x, dict) or not hasattr(x, "keys"):
        return isinstance(x, dict)
    from collections.abc import Mapping  # a pandas.Series has keys, too

    return isinstance(x, Mapping)


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        value = dict.__getitem__(self, key)
        if last:
            dict.__delitem__(self, key)
            dict.__setitem__(self, key, value)
        else:
            _to_front(self, key)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        if last:
            return dict.popitem(self)
        key = next(iter(self))
        return key, self.pop(key)

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, value=None):
        made = cls()
        for key in iterable:
            made[key] = value
        return made

    def __repr__(self):
        if not self:
            return "%s()" % self.__class__.__name__
        return "%s(%s)" % (self.__class__.__name__, dict.__repr__(self))

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return dict.__eq__(self, other) and list(self) == list(other)
        return dict.__eq__(self, other)

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        new = self.__class__(self)
        new.update(other)
        return new

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        new = self.__class__(other)
        new.update(self)
        return new


class Counter(dict):
    def __init__(self, iterable=None, /, **kwds):
        super().__init__()
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def __delitem__(self, key):
        if key in self:
            super().__delitem__(key)

    def update(self, iterable=None, /, **kwds):
        if iterable is not None:
            get = self.get
            if _is_mapping(iterable):
                if not self:
                    super().update(iterable)
                    iterable = ()
                for key in iterable:
                    self[key] = get(key, 0) + iterable[key]
            else:
                for key in iterable:
                    self[key] = get(key, 0) + 1
        if kwds:
            self.update(kwds)

    def subtract(self, iterable=None, /, **kwds):
        if iterable is not None:
            if _is_mapping(iterable):
                for key in iterable:
                    self[key] = self.get(key, 0) - iterable[key]
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) - 1
        if kwds:
            self.subtract(kwds)

    def most_common(self, n=None):
        ranked = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return ranked if n is None else ranked[:max(n, 0)]

    def elements(self):
        for key, n in self.items():
            for _ in range(n):
                yield key

    def total(self):
        return sum(self.values())

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def __repr__(self):
        if not self:
            return "%s()" % self.__class__.__name__
        try:
            items = self.most_common()
        except TypeError:
            items = self.items()
        return "%s({%s})" % (self.__class__.__name__, ", ".join("%r: %r" % pair for pair in items))

    def _positive(self, keys, count):
        result = Counter()
        for key in keys:
            n = count(key)
            if n > 0:
                result[key] = n
        return result

    def _keys_with(self, other):
        return list(self) + [key for key in other if key not in self]

    def __add__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._positive(self._keys_with(other), lambda key: self[key] + other[key])

    def __sub__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._positive(self._keys_with(other), lambda key: self[key] - other[key])

    def __or__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._positive(self._keys_with(other), lambda key: max(self[key], other[key]))

    def __and__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._positive(list(self), lambda key: min(self[key], other[key]))

    def __pos__(self):
        return self._positive(list(self), lambda key: self[key])

    def __neg__(self):
        return self._positive(list(self), lambda key: -self[key])

    def _compare(self, other, holds):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(holds(self[key], other[key]) for key in self._keys_with(other))

    def __eq__(self, other):
        return self._compare(other, lambda a, b: a == b)

    def __ne__(self, other):
        same = self.__eq__(other)
        return same if same is NotImplemented else not same

    def __le__(self, other):
        return self._compare(other, lambda a, b: a <= b)

    def __ge__(self, other):
        return self._compare(other, lambda a, b: a >= b)

    def __lt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self <= other and self != other

    def __gt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self >= other and self != other


def _check_names(typename, names, rename):
    seen = set()
    for i, name in enumerate(names):
        if rename and (not name.isidentifier() or name in _keywords or name.startswith("_") or name in seen):
            names[i] = "_%d" % i
        seen.add(names[i])
    for name in [typename] + names:
        if not name.isidentifier():
            raise ValueError("Type names and field names must be valid identifiers: %r" % name)
        if name in _keywords:
            raise ValueError("Type names and field names cannot be a keyword: %r" % name)
    seen = set()
    for name in names:
        if name.startswith("_") and not rename:
            raise ValueError("Field names cannot start with an underscore: %r" % name)
        if name in seen:
            raise ValueError("Encountered duplicate field name: %r" % name)
        seen.add(name)


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = [str(name) for name in field_names]
    _check_names(typename, names, rename)
    fields = tuple(names)
    defaults = () if defaults is None else tuple(defaults)
    if len(defaults) > len(fields):
        raise TypeError("Got more default values than field names")
    space = {"_tuple_new": tuple.__new__}
    first = len(fields) - len(defaults)
    arguments = "".join(", " + name + ("=None" if i >= first else "") for i, name in enumerate(fields))
    items = "".join(name + ", " for name in fields)
    exec("class %s:\n    def __new__(_cls%s):\n        return _tuple_new(_cls, (%s))" % (typename, arguments, items),
         space)
    new = space[typename].__dict__["__new__"]
    if defaults:
        new.__defaults__ = defaults
    count = len(fields)

    def _make(cls, iterable):
        items = tuple(iterable)
        if len(items) != count:
            raise TypeError("Expected %d arguments, got %d" % (count, len(items)))
        return tuple.__new__(cls, items)

    def _replace(self, /, **kwds):
        items = [kwds.pop(name, self[i]) for i, name in enumerate(fields)]
        if kwds:
            raise ValueError("Got unexpected field names: %r" % list(kwds))
        return tuple.__new__(self.__class__, items)

    def __repr__(self):
        return self.__class__.__name__ + "(" + ", ".join("%s=%r" % pair for pair in zip(fields, self)) + ")"

    def _asdict(self):
        return dict(zip(self._fields, self))

    def __getnewargs__(self):
        return tuple(self)

    body = {
        "__doc__": "%s(%s)" % (typename, ", ".join(fields)),
        "__slots__": (),
        "__module__": module or _sys._getframemodulename(1),
        "__match_args__": fields,
        "_fields": fields,
        "_field_defaults": dict(zip(fields[len(fields) - len(defaults):], defaults)),
        "__new__": new,
        "_make": classmethod(_make),
        "_replace": _replace,
        "__repr__": __repr__,
        "_asdict": _asdict,
        "__getnewargs__": __getnewargs__,
    }
    for i, name in enumerate(fields):
        body[name] = _tuplegetter(i, "Alias for field number %d" % i)
    return type(typename, (tuple,), body)


from collections.abc import Mapping as _Mapping, MutableMapping as _MutableMapping, MutableSequence as _MutableSequence


class ChainMap(_MutableMapping):
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            try:
                return mapping[key]
            except KeyError:
                pass
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __len__(self):
        return len(set().union(*self.maps))

    def __iter__(self):
        seen = {}
        for mapping in reversed(self.maps):
            seen.update(dict.fromkeys(mapping))
        return iter(seen)

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def __repr__(self):
        return "%s(%s)" % (self.__class__.__name__, ", ".join(map(repr, self.maps)))

    def copy(self):
        return self.__class__(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    def new_child(self, m=None, **kwargs):
        if m is None:
            m = kwargs
        elif kwargs:
            m.update(kwargs)
        return self.__class__(m, *self.maps)

    @property
    def parents(self):
        return self.__class__(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError("Key not found in the first mapping: %r" % (key,))

    def popitem(self):
        try:
            return self.maps[0].popitem()
        except KeyError:
            raise KeyError("No keys found in the first mapping.")

    def pop(self, key, *args):
        try:
            return self.maps[0].pop(key, *args)
        except KeyError:
            raise KeyError("Key not found in the first mapping: %r" % (key,))

    def clear(self):
        self.maps[0].clear()


    def __or__(self, other):
        if not isinstance(other, _Mapping):
            return NotImplemented
        joined = self.copy()
        joined.maps[0].update(other)
        return joined

    def __ror__(self, other):
        if not isinstance(other, _Mapping):
            return NotImplemented
        joined = dict(other)
        for mapping in reversed(self.maps):
            joined.update(mapping)
        return self.__class__(joined)

    def __ior__(self, other):
        self.maps[0].update(other)
        return self


class UserDict(_MutableMapping):
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(self.__class__, "__missing__"):
            return self.__class__.__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __repr__(self):
        return repr(self.data)

    def __or__(self, other):
        if isinstance(other, UserDict):
            return self.__class__(self.data | other.data)
        if isinstance(other, dict):
            return self.__class__(self.data | other)
        return NotImplemented

    def __ror__(self, other):
        if isinstance(other, dict):
            return self.__class__(other | self.data)
        return NotImplemented

    def copy(self):
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update(self.__dict__)
        made.__dict__["data"] = self.data.copy()
        return made

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, value=None):
        made = cls()
        for key in iterable:
            made[key] = value
        return made


class UserList(_MutableSequence):
    def __init__(self, initlist=None):
        if initlist is None:
            self.data = []
        else:
            self.data = list(initlist.data if isinstance(initlist, UserList) else initlist)

    def _other(self, other):
        return other.data if isinstance(other, UserList) else other

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == self._other(other)

    def __lt__(self, other):
        return self.data < self._other(other)

    def __le__(self, other):
        return self.data <= self._other(other)

    def __gt__(self, other):
        return self.data > self._other(other)

    def __ge__(self, other):
        return self.data >= self._other(other)

    def __contains__(self, item):
        return item in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.__class__(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return self.__class__(self.data + list(self._other(other)))

    def __radd__(self, other):
        return self.__class__(list(self._other(other)) + self.data)

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def append(self, item):
        self.data.append(item)

    def insert(self, i, item):
        self.data.insert(i, item)

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)

    def copy(self):
        return self.__class__(self)


class UserString:
    def __init__(self, seq):
        self.data = seq if isinstance(seq, str) else str(seq)

    def __str__(self):
        return self.data

    def __repr__(self):
        return repr(self.data)

    def __hash__(self):
        return hash(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserString) else other)

    def __len__(self):
        return len(self.data)

    def __contains__(self, text):
        return str(text) in self.data

    def __getitem__(self, i):
        return self.__class__(self.data[i])

    def __add__(self, other):
        return self.__class__(self.data + str(other))

    def __getattr__(self, name):
        return getattr(self.data, name)
