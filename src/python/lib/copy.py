# SPDX-License-Identifier: MIT
# copy: shallow and deep copies. What cannot change is its own copy; the built-in containers are copied here;
# instances of classes as their __copy__, __deepcopy__, __reduce_ex__, __getstate__ and relatives say, or else
# by a new instance with the same attributes.
import collections as _collections
import functools as _functools
import re as _re


class Error(Exception):
    pass


error = Error


class _Class:
    def method(self):
        pass


_method = type(_Class().method)
_same = {
    type(None), bool, int, float, complex, str, bytes, type, range, type(...), type(NotImplemented),
    type(_Class.method), type(len), type(_re.compile("")),
    type(_re.match("", "")), property, slice,
}
_shallow = {list, dict, set, _collections.OrderedDict, _collections.defaultdict, _collections.deque}


def _is_same(x, cls):
    return cls in _same or issubclass(cls, type)


def copy(x):
    cls = type(x)
    if _is_same(x, cls) or cls is tuple or cls is frozenset or cls is _method:
        return x
    own = getattr(cls, "__copy__", None)
    if own is not None:
        return own(x)
    if cls in _shallow or cls is bytearray:
        return x.copy()
    if cls is _functools.partial:
        return cls(x.func, *x.args, **x.keywords)
    return _again(x, cls, None)


def deepcopy(x, memo=None):
    cls = type(x)
    if cls in _same:
        return x
    if memo is None:
        memo = {}
    known = memo.get(id(x), memo)
    if known is not memo:
        return known
    if cls is dict:
        y = memo[id(x)] = {}
        for key, item in x.items():
            y[deepcopy(key, memo)] = deepcopy(item, memo)
    elif cls is list:
        y = memo[id(x)] = []
        for item in x:
            y.append(deepcopy(item, memo))
    elif cls is tuple:
        y = _deep_tuple(x, memo)
    elif issubclass(cls, type):
        return x
    elif cls is _method:
        y = getattr(deepcopy(x.__self__, memo), x.__name__)
    else:
        own = getattr(cls, "__deepcopy__", None)
        y = own(x, memo) if own is not None else _deep_other(x, cls, memo)
    if y is not x:
        memo[id(x)] = y
        _keep(x, memo)
    return y


def _keep(x, memo):
    """Numbers of objects stay theirs as long as the objects live."""
    try:
        memo[id(memo)].append(x)
    except KeyError:
        memo[id(memo)] = [x]


def _deep_tuple(x, memo):
    items = [deepcopy(item, memo) for item in x]
    known = memo.get(id(x), memo)
    if known is not memo:
        return known
    for item, old in zip(items, x):
        if item is not old:
            return tuple(items)
    return x


def _deep_other(x, cls, memo):
    if cls is bytearray:
        return x.copy()
    if cls is set or cls is frozenset:
        return cls([deepcopy(item, memo) for item in x])
    if cls is _collections.deque:
        y = memo[id(x)] = cls([], x.maxlen)
        y.extend([deepcopy(item, memo) for item in x])
        return y
    if cls is _collections.defaultdict:
        y = memo[id(x)] = cls(x.default_factory)
        for key, item in x.items():
            y[deepcopy(key, memo)] = deepcopy(item, memo)
        return y
    if cls is _functools.partial:
        return cls(deepcopy(x.func, memo), *deepcopy(x.args, memo), **deepcopy(x.keywords, memo))
    return _again(x, cls, memo)


def _reduced(x, cls):
    """What pickle would make it from; a text: it is that name."""
    reduce = getattr(cls, "__reduce_ex__", None)
    if reduce is not None:
        return reduce(x, 4)
    reduce = getattr(cls, "__reduce__", None)
    return reduce(x) if reduce is not None else _parts(x, cls)


def _again(x, cls, memo):
    parts = _reduced(x, cls)
    if isinstance(parts, str):
        return x
    return _build(x, memo, *parts)


def _new(cls, *args):
    return cls.__new__(cls, *args)


def _new_named(cls, args, kwargs):
    return cls.__new__(cls, *args, **kwargs)


def _slots(cls):
    for base in cls.__mro__:
        names = base.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            private = name.startswith("__") and not name.endswith("__")
            yield "_%s%s" % (base.__name__.lstrip("_"), name) if private else name


def _state(x, cls):
    if hasattr(cls, "__getstate__"):
        return x.__getstate__()
    own = getattr(x, "__dict__", None) or None
    slots = {name: getattr(x, name) for name in _slots(cls) if name != "__dict__" and hasattr(x, name)}
    return (own, slots) if slots else own


def _parts(x, cls):
    """What x is made of: (function, arguments, state, list items, dict items)."""
    if isinstance(x, BaseException):
        return cls, x.args, x.__dict__ or None
    own = "__init__" in cls.__dict__ or cls.__module__ not in ("builtins", "itertools", "_io", "io")
    if not own or cls.__name__ in ("generator", "module", "TextIOWrapper"):
        raise TypeError(f"cannot pickle '{cls.__name__}' object")
    make, args = _new, (cls,)
    if hasattr(cls, "__getnewargs_ex__"):
        make, args = _new_named, (cls, *x.__getnewargs_ex__())
    elif hasattr(cls, "__getnewargs__"):
        args = (cls, *x.__getnewargs__())
    else:
        for plain in (int, float, complex, str, bytes, tuple, frozenset):
            if isinstance(x, plain):
                args = (cls, plain(x))
    if isinstance(x, set):
        make, args = _filled_set, (cls, list(x))
    state = _state(x, cls)
    items = list(x) if isinstance(x, list) else None
    pairs = list(x.items()) if isinstance(x, dict) else None
    return make, args, state, items, pairs


def _filled_set(cls, items):
    y = cls.__new__(cls)
    set.update(y, items)
    return y


def _build(x, memo, make, args, state=None, items=None, pairs=None, set_state=None):
    deep = memo is not None
    if deep and args:
        args = [deepcopy(arg, memo) for arg in args]
    y = make(*args)
    if deep:
        memo[id(x)] = y
    if state is not None:
        if deep:
            state = deepcopy(state, memo)
        _set_state(y, state, set_state)
    for item in items or ():
        y.append(deepcopy(item, memo) if deep else item)
    for key, item in pairs or ():
        if deep:
            key, item = deepcopy(key, memo), deepcopy(item, memo)
        y[key] = item
    return y


def _set_state(y, state, set_state):
    if set_state is not None:
        set_state(y, state)
    elif hasattr(y, "__setstate__"):
        y.__setstate__(state)
    else:
        slots = None
        if isinstance(state, tuple) and len(state) == 2:
            state, slots = state
        if state:
            y.__dict__.update(state)
        for name, item in (slots or {}).items():
            setattr(y, name, item)
