# SPDX-License-Identifier: MIT
# typing: the names; nothing is checked.
import collections as _collections
import sys as _sys
import types as _types
import collections.abc as _abc
from abc import ABCMeta as _ABCMeta

TYPE_CHECKING = False


def _shown(item):
    if item is ...:
        return "..."
    if isinstance(item, type):
        module = getattr(item, "__module__", "builtins")
        return item.__qualname__ if module == "builtins" else "%s.%s" % (module, item.__qualname__)
    if isinstance(item, list):
        return "[%s]" % ", ".join(_shown(part) for part in item)
    return repr(item)


def _union(args):
    """Without unions in unions and anything twice; of one kind it is that."""
    flat = []
    for arg in args:
        inner = arg.__args__ if isinstance(arg, _Form) and arg._name == "Union" else (arg,)
        for one in inner:
            one = type(None) if one is None else one
            if one not in flat:
                flat.append(one)
    return flat[0] if len(flat) == 1 else _Form("Union", None, Union, tuple(flat))


class _Form:
    def __init__(self, name, origin=None, form=None, args=()):
        self._name = name
        self._form = form or self
        self.__origin__ = origin
        self.__args__ = args

    def __getitem__(self, item):
        args = item if isinstance(item, tuple) else (item,)
        if self._name == "Optional":
            return Union[args[0], None]
        if self._name == "Union":
            return _union(args)
        return _Form(self._name, self.__origin__, self, args)

    def __call__(self, *args, **kwargs):
        if self.__origin__ is None:
            raise TypeError("Cannot instantiate typing.%s" % self._name)
        if self.__origin__.__module__ == "builtins":
            raise TypeError("Type %s cannot be instantiated; use %s() instead"
                            % (self._name, self.__origin__.__name__))
        return self.__origin__(*args, **kwargs)

    def __instancecheck__(self, instance):
        if self._name == "Union" and self.__args__:
            return any(isinstance(instance, arg) for arg in self.__args__)
        if self.__origin__ is None:
            raise TypeError("typing.%s cannot be used with isinstance()" % self._name)
        return isinstance(instance, self.__origin__)

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __make_class__(self, name, bases, namespace, **kwargs):
        kept = tuple(getattr(base, "__origin__", None) or object if isinstance(base, _Form) else base
                     for base in bases)
        return type(name, tuple(dict.fromkeys(base for base in kept if base is not object)), namespace)

    def __repr__(self):
        if self._name == "Union" and len(self.__args__) == 2 and type(None) in self.__args__:
            return "typing.Optional[%s]" % _shown(self.__args__[self.__args__[0] is type(None)])
        text = "typing." + self._name
        return text + ("[%s]" % ", ".join(_shown(arg) for arg in self.__args__) if self.__args__ else "")

    def __eq__(self, other):
        return isinstance(other, _Form) and self._name == other._name and self.__args__ == other.__args__

    def __hash__(self):
        return hash((self._name, self.__args__))


for _name in ("Any Union Optional Literal ClassVar Final Annotated NoReturn Never Self LiteralString TypeAlias "
              "Concatenate TypeGuard Required NotRequired Unpack").split():
    globals()[_name] = _Form(_name)
for _name, _origin in (("List", list), ("Dict", dict), ("Set", set), ("FrozenSet", frozenset), ("Tuple", tuple),
                       ("Type", type), ("DefaultDict", _collections.defaultdict), ("Deque", _collections.deque),
                       ("OrderedDict", _collections.OrderedDict), ("Counter", _collections.Counter),
                       ("ChainMap", _collections.ChainMap), ("Text", str)):
    globals()[_name] = _Form(_name, _origin)
Text = str
for _name in ("Iterable Iterator Sequence MutableSequence Mapping MutableMapping Callable Hashable Sized Container "
              "Collection Generator Reversible Awaitable Coroutine AsyncIterable AsyncIterator AsyncGenerator "
              "KeysView ValuesView ItemsView MappingView MutableSet").split():
    globals()[_name] = _Form(_name, getattr(_abc, _name))
AbstractSet = _Form("AbstractSet", _abc.Set)
ByteString = bytes
Pattern = _Form("Pattern")
Match = _Form("Match")
IO = _Form("IO")
TextIO = _Form("TextIO")
BinaryIO = _Form("BinaryIO")
ContextManager = _Form("ContextManager")
AsyncContextManager = _Form("AsyncContextManager")


class TypeVar:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self.__name__, self.__module__ = name, _sys._getframemodulename(1)

    def __repr__(self):
        return "~" + self.__name__


ParamSpec = TypeVarTuple = TypeVar
AnyStr = TypeVar("AnyStr", bytes, str)


class Generic:
    def __class_getitem__(cls, item):
        return cls


class _ProtocolMeta(_ABCMeta):
    """Of a runtime_checkable protocol, what has all of its names is an instance."""

    def __instancecheck__(cls, instance):
        names = cls.__dict__.get("_checked_names")
        return cls in type(instance).__mro__ or names is not None and all(hasattr(instance, name) for name in names)

    def __subclasscheck__(cls, other):
        names = cls.__dict__.get("_checked_names")
        return cls in other.__mro__ or names is not None and all(hasattr(other, name) for name in names)


class Protocol(metaclass=_ProtocolMeta):
    def __class_getitem__(cls, item):
        return cls


SupportsComplex = SupportsInt = SupportsFloat = SupportsIndex = SupportsAbs = SupportsRound = SupportsBytes = Protocol


def cast(typ, val):
    return val


def overload(func):
    return func


def final(f):
    return f


def no_type_check(arg):
    return arg


def runtime_checkable(cls):
    plain = dir(Protocol) + ["__module__", "__doc__", "__annotations__", "__abstractmethods__", "__parameters__"]
    names = [name for base in cls.__mro__ if base not in (Protocol, object)
             for name in (*base.__dict__, *base.__dict__.get("__annotations__", ()))]
    cls._checked_names = [name for name in names if name not in plain]
    return cls


def override(f):
    return f


def assert_type(val, typ, /):
    return val


def assert_never(arg, /):
    raise AssertionError("Expected code to be unreachable, but got: %r" % (arg,))


def is_typeddict(tp):
    return isinstance(tp, type) and "__total__" in tp.__dict__


def reveal_type(obj, /):
    return obj


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    import sys
    names = globalns
    if names is None:
        names = getattr(obj, "__globals__", None) or getattr(sys.modules.get(obj.__module__), "__dict__", {})
    hints = {}
    bases = reversed(obj.__mro__) if isinstance(obj, type) else (obj,)
    for base in bases:
        for name, hint in getattr(base, "__annotations__", {}).items():
            for _ in range(2):
                if isinstance(hint, str):
                    hint = eval(hint, names, localns)
            hints[name] = type(None) if hint is None else hint
    return hints


def get_origin(tp):
    if isinstance(tp, _Form):
        return tp.__origin__ or tp._form
    return _types.UnionType if type(tp) is _types.UnionType else getattr(tp, "__origin__", None)


def get_args(tp):
    return getattr(tp, "__args__", ())


def NewType(name, tp):
    def make(x):
        return x

    make.__name__ = make.__qualname__ = name
    make.__supertype__, make.__module__ = tp, _sys._getframemodulename(1)
    return make


class _NamedTuple:
    def __call__(self, typename, fields=None, /, **kwargs):
        pairs = list(fields) if fields is not None else list(kwargs.items())
        made = _collections.namedtuple(typename, [name for name, _ in pairs], module=_sys._getframemodulename(1))
        made.__annotations__ = dict(pairs)
        return made

    def __make_class__(self, name, bases, namespace, **kwargs):
        annotations = namespace.get("__annotations__", {})
        defaults = []
        for field in annotations:
            if field in namespace:
                defaults.append(namespace[field])
            elif defaults:
                raise TypeError("Non-default namedtuple field %s cannot follow default field%s %s"
                                % (field, "s" if len(defaults) > 1 else "",
                                   ", ".join(f for f in annotations if f in namespace)))
        made = _collections.namedtuple(name, list(annotations), defaults=defaults,
                                       module=namespace.get("__module__"))
        for key, item in namespace.items():
            if key not in annotations and key not in ("__module__", "__qualname__"):
                setattr(made, key, item)
        return made

    def __repr__(self):
        return "<function NamedTuple>"


class _TypedDict:
    def __call__(self, typename, fields=None, /, *, total=True, **kwargs):
        return type(typename, (dict,), {"__annotations__": fields or kwargs, "__total__": total,
                                        "__module__": _sys._getframemodulename(1)})

    def __make_class__(self, name, bases, namespace, total=True, **kwargs):
        return type(name, (dict,), {**namespace, "__total__": total})


NamedTuple = _NamedTuple()
TypedDict = _TypedDict()
