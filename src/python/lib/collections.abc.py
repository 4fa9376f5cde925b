# SPDX-License-Identifier: MIT
# collections.abc: the abstract classes; isinstance() asks for the methods that make a type one of them.


class _Abstract:
    _methods = ()
    _natives = ()

    @classmethod
    def register(cls, subclass):
        cls._natives = cls.__dict__.get("_natives", ()) + (subclass,)
        return subclass

    def __class_getitem__(cls, item):
        return cls


def _has(other, name):
    for base in other.__mro__:
        if name in base.__dict__:
            return base.__dict__[name] is not None
    return False


def _counts(cls, other):
    if cls is Hashable and other in _unhashable:
        return False
    # What is said of a class does not hold for those derived from it.
    natives, methods = cls.__dict__.get("_natives"), cls.__dict__.get("_methods")
    if natives and issubclass(other, natives):
        return True
    if methods and all(_has(other, name) for name in methods):
        return True
    return NotImplemented


class Hashable(_Abstract):
    _methods = ("__hash__",)


class Iterable(_Abstract):
    _methods = ("__iter__",)


class Iterator(Iterable):
    _methods = ("__iter__", "__next__")

    def __iter__(self):
        return self


class Reversible(Iterable):
    _methods = ("__iter__", "__reversed__")


class Generator(Iterator):
    _methods = ("__iter__", "__next__", "send", "throw", "close")


class Sized(_Abstract):
    _methods = ("__len__",)


class Container(_Abstract):
    _methods = ("__contains__",)


class Callable(_Abstract):
    _methods = ("__call__",)
    _natives = (type(_has), type(len), type(_Abstract.register), type)


class Awaitable(_Abstract):
    _methods = ("__await__",)


class Coroutine(Awaitable):
    _methods = ("__await__", "send", "throw", "close")


class AsyncIterable(_Abstract):
    _methods = ("__aiter__",)


class AsyncIterator(AsyncIterable):
    _methods = ("__anext__", "__aiter__")


class AsyncGenerator(AsyncIterator):
    _methods = ("__aiter__", "__anext__", "asend", "athrow", "aclose")


class Collection(Sized, Iterable, Container):
    _methods = ("__len__", "__iter__", "__contains__")


class Sequence(Reversible, Collection):
    _methods = ()
    _natives = (str, tuple, list, range, bytes)

    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return

    def __contains__(self, value):
        return any(item is value or item == value for item in self)

    def __reversed__(self):
        for i in range(len(self) - 1, -1, -1):
            yield self[i]

    def index(self, value, start=0, stop=None):
        if start < 0:
            start = max(len(self) + start, 0)
        if stop is None:
            stop = len(self)
        elif stop < 0:
            stop += len(self)
        for i in range(start, min(stop, len(self))):
            item = self[i]
            if item is value or item == value:
                return i
        raise ValueError

    def count(self, value):
        return sum(1 for item in self if item is value or item == value)


ByteString = bytes


class MutableSequence(Sequence):
    _natives = (list,)

    def append(self, value):
        self.insert(len(self), value)

    def clear(self):
        while len(self):
            self.pop()

    def reverse(self):
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]

    def extend(self, values):
        for value in list(values):
            self.append(value)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


class Set(Collection):
    _methods = ()
    _natives = (set, frozenset, type({}.keys()), type({}.items()))

    @classmethod
    def _from_iterable(cls, items):
        return cls(items)

    def __le__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) <= len(other) and all(item in other for item in self)

    def __lt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) < len(other) and self.__le__(other)

    def __ge__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) >= len(other) and all(item in self for item in other)

    def __gt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) > len(other) and self.__ge__(other)

    def __eq__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and self.__le__(other)

    def __and__(self, other):
        return self._from_iterable(item for item in other if item in self)

    def __or__(self, other):
        return self._from_iterable(item for part in (self, other) for item in part)

    def __sub__(self, other):
        other = set(other)
        return self._from_iterable(item for item in self if item not in other)

    def __xor__(self, other):
        other = self._from_iterable(other)
        return (self - other) | (other - self)

    __rand__ = __and__
    __ror__ = __or__

    def isdisjoint(self, other):
        return not any(item in self for item in other)


class MutableSet(Set):
    _natives = (set,)

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        try:
            value = next(iter(self))
        except StopIteration:
            raise KeyError from None
        self.discard(value)
        return value

    def clear(self):
        while len(self):
            self.pop()

    def __ior__(self, other):
        for value in other:
            self.add(value)
        return self

    def __isub__(self, other):
        for value in list(other):
            self.discard(value)
        return self


class Mapping(Collection):
    _methods = ()
    _natives = (dict,)

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return KeysView(self)

    def items(self):
        return ItemsView(self)

    def values(self):
        return ValuesView(self)

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())


class MutableMapping(Mapping):
    _natives = (dict,)

    def pop(self, key, *default):
        try:
            value = self[key]
        except KeyError:
            if default:
                return default[0]
            raise
        del self[key]
        return value

    def popitem(self):
        try:
            key = next(iter(self))
        except StopIteration:
            raise KeyError from None
        value = self[key]
        del self[key]
        return key, value

    def clear(self):
        while len(self):
            self.popitem()

    def update(self, other=(), /, **kwds):
        if hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


class MappingView(Sized):
    _methods = ()
    _natives = (type({}.keys()), type({}.items()), type({}.values()))

    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return "%s(%r)" % (self.__class__.__name__, self._mapping)


class KeysView(MappingView, Set):
    _methods = ()
    _natives = (type({}.keys()),)

    @classmethod
    def _from_iterable(cls, items):
        return set(items)

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)


class ItemsView(MappingView, Set):
    _methods = ()
    _natives = (type({}.items()),)

    @classmethod
    def _from_iterable(cls, items):
        return set(items)

    def __contains__(self, item):
        key, value = item
        try:
            found = self._mapping[key]
        except KeyError:
            return False
        return found is value or found == value

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]


class ValuesView(MappingView, Collection):
    _methods = ()
    _natives = (type({}.values()),)

    def __contains__(self, value):
        return any(self._mapping[key] is value or self._mapping[key] == value for key in self._mapping)

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


_deque = __import__("_collections").deque
_proxy = type(type.__dict__)
_unhashable = (list, dict, set, bytearray, type({}.keys()), type({}.items()), _deque)
_containers = (str, bytes, bytearray, list, tuple, range, dict, set, frozenset, _deque, type({}.keys()),
               type({}.items()), _proxy)
for _class in (Iterable, Collection, Container, Sized):
    _class._natives = _containers + (type({}.values()),)
Reversible._natives = (str, bytes, bytearray, list, tuple, range, dict, _deque, type({}.keys()), type({}.values()),
                        type({}.items()), _proxy)
Mapping._natives += (_proxy,)
Sequence._natives += (_deque, bytearray)
MutableSequence._natives += (_deque, bytearray)
for _class in list(globals().values()):
    if isinstance(_class, type) and _Abstract in _class.__mro__:
        _class.__subclasshook__ = classmethod(_counts)
