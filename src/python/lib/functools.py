# SPDX-License-Identifier: MIT
# functools, apart from partial and reduce.
from _functools import partial, reduce
from collections import namedtuple as _namedtuple

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for name in assigned:
        try:
            value = getattr(wrapped, name)
        except AttributeError:
            continue
        setattr(wrapper, name, value)
    for name, value in getattr(wrapped, "__dict__", {}).items():
        setattr(wrapper, name, value)
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    return lambda wrapper: update_wrapper(wrapper, wrapped, assigned, updated)


_CacheInfo = _namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"], module="functools")
_missing = object()
_keywords = object()


def _cached(function, maxsize, typed):
    cache = {}
    hits = misses = 0

    def wrapper(*args, **kwargs):
        nonlocal hits, misses
        key = args
        if kwargs:
            key += (_keywords, *kwargs.items())
        if typed:
            key += tuple(type(x) for x in args) + tuple(type(x) for x in kwargs.values())
        result = cache.get(key, _missing)
        if result is not _missing:
            hits += 1
            if maxsize is not None:
                del cache[key]
                cache[key] = result
            return result
        result = function(*args, **kwargs)
        misses += 1
        if maxsize is None or maxsize > 0:
            if maxsize is not None and key not in cache and len(cache) >= maxsize:
                del cache[next(iter(cache))]
            cache[key] = result
        return result

    def cache_info():
        return _CacheInfo(hits, misses, maxsize, len(cache))

    def cache_clear():
        nonlocal hits, misses
        cache.clear()
        hits = misses = 0

    update_wrapper(wrapper, function)
    wrapper.cache_info = cache_info
    wrapper.cache_clear = cache_clear
    wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
    return wrapper


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cached(maxsize, 128, typed)
    if maxsize is not None and not isinstance(maxsize, int):
        raise TypeError("Expected first argument to be an integer, a callable, or None")
    if maxsize is not None and maxsize < 0:
        maxsize = 0
    return lambda function: _cached(function, maxsize, typed)


def cache(user_function, /):
    return _cached(user_function, None, False)


class cached_property:
    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        self.attrname = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        attributes = instance.__dict__
        if self.attrname not in attributes:
            attributes[self.attrname] = self.func(instance)
        return attributes[self.attrname]


def cmp_to_key(mycmp):
    class K:
        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0

        __hash__ = None

    return K


def _not(result):
    return result if result is NotImplemented else not result


def _or_equal(result, self, other):
    return result if result is NotImplemented else result or self == other


def _and_unequal(result, self, other):
    return result if result is NotImplemented else result and self != other


_orderings = {
    "__lt__": {
        "__gt__": lambda self, other: _and_unequal(_not(self.__lt__(other)), self, other),
        "__le__": lambda self, other: _or_equal(self.__lt__(other), self, other),
        "__ge__": lambda self, other: _not(self.__lt__(other)),
    },
    "__le__": {
        "__ge__": lambda self, other: _or_equal(_not(self.__le__(other)), self, other),
        "__lt__": lambda self, other: _and_unequal(self.__le__(other), self, other),
        "__gt__": lambda self, other: _not(self.__le__(other)),
    },
    "__gt__": {
        "__lt__": lambda self, other: _and_unequal(_not(self.__gt__(other)), self, other),
        "__ge__": lambda self, other: _or_equal(self.__gt__(other), self, other),
        "__le__": lambda self, other: _not(self.__gt__(other)),
    },
    "__ge__": {
        "__le__": lambda self, other: _or_equal(_not(self.__ge__(other)), self, other),
        "__gt__": lambda self, other: _and_unequal(self.__ge__(other), self, other),
        "__lt__": lambda self, other: _not(self.__ge__(other)),
    },
}


def total_ordering(cls):
    for root, rest in _orderings.items():
        if any(root in base.__dict__ for base in cls.__mro__ if base is not object):
            break
    else:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    for name, function in rest.items():
        if not any(name in base.__dict__ for base in cls.__mro__ if base is not object):
            setattr(cls, name, function)
    return cls


def singledispatch(func):
    registry = {object: func}

    def dispatch(cls):
        for base in cls.__mro__[:-1]:
            if base in registry:
                return registry[base]
        for kind in registry:  # abstract classes, which count others as theirs
            if kind is not object and issubclass(cls, kind):
                return registry[kind]
        return registry[object]

    def register(cls, function=None):
        if function is None:
            if isinstance(cls, type) or hasattr(cls, "__args__"):
                return lambda f: register(cls, f)
            function = cls
            cls = next(iter(function.__annotations__.values()))
            cls = eval(cls, function.__globals__) if isinstance(cls, str) else cls
        for kind in (cls,) if isinstance(cls, type) else cls.__args__:  # int | str
            registry[kind] = function
        return function

    def wrapper(*args, **kwargs):
        if not args:
            raise TypeError("%s requires at least 1 positional argument" % func.__name__)
        return dispatch(type(args[0]))(*args, **kwargs)

    update_wrapper(wrapper, func)
    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, instance, owner=None):
        binds = hasattr(type(self.func), "__get__")
        if instance is not None or not binds:
            bound = self.func.__get__(instance, owner) if binds else self.func
            return partial(bound, *self.args, **self.keywords)

        def unbound(cls_or_self, /, *args, **keywords):
            return self.func(cls_or_self, *self.args, *args, **{**self.keywords, **keywords})

        return unbound


class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            return self.dispatcher.dispatch(type(args[0])).__get__(obj, cls)(*args, **kwargs)

        method.register = self.register
        return update_wrapper(method, self.func)
