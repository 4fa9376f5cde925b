# SPDX-License-Identifier: MIT
# dataclasses.
import copy as _copy
import sys as _sys


class _Missing:
    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return "<dataclasses.%s object>" % self._name


MISSING = _Missing("_MISSING_TYPE")
KW_ONLY = _Missing("_KW_ONLY_TYPE")


class FrozenInstanceError(AttributeError):
    pass


class InitVar:
    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, type):
        return cls(type)

    def __repr__(self):
        return "dataclasses.InitVar[%s]" % (self.type.__name__ if type(self.type) is type else repr(self.type))


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = self.type = None
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.hash, self.compare = init, repr, hash, compare
        self.metadata, self.kw_only = metadata or {}, kw_only
        self._kind = ""  # else "InitVar", an argument only, or "ClassVar", an attribute of the class

    def __repr__(self):
        shown = ("name", "type", "default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only")
        return "Field(%s)" % ",".join(["%s=%r" % (name, getattr(self, name)) for name in shown])

    def __set_name__(self, owner, name):
        hook = getattr(type(self.default), "__set_name__", None)
        if hook:
            hook(self.default, owner, name)


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None,
          kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


# ---- the fields of a class ----

_mutable = (list, dict, set, bytearray)


def _is_named(kind, name):
    # Annotations are seen as texts or as the objects that they name.
    text = kind if isinstance(kind, str) else repr(kind)
    head = text.split("[")[0].strip("'\" ")
    return head.split(".")[-1] == name


def _own_field(cls, name, kind, kw_only):
    default = getattr(cls, name, MISSING)
    made = default if isinstance(default, Field) else field(default=default)
    made.name, made.type = name, kind
    made._kind = "ClassVar" if _is_named(kind, "ClassVar") else ""
    if isinstance(kind, InitVar) or _is_named(kind, "InitVar"):
        made._kind = "InitVar"
    if made._kind and made.default_factory is not MISSING:
        raise TypeError("field %s cannot have a default factory" % name)
    if made._kind == "ClassVar" and made.kw_only is not MISSING:
        raise TypeError("field %s is a ClassVar but specifies kw_only" % name)
    if made.kw_only is MISSING:
        made.kw_only = kw_only
    if not made._kind and (isinstance(made.default, _mutable) or getattr(type(made.default), "__hash__") is None):
        raise ValueError("mutable default %s for field %s is not allowed: use default_factory"
                         % (type(made.default), name))
    if isinstance(cls.__dict__.get(name), Field):
        if made.default is MISSING:
            delattr(cls, name)
        else:
            setattr(cls, name, made.default)
    return made


def _collect(cls, kw_only):
    found, keyword_only = {}, False
    for base in cls.__mro__[-1:0:-1]:
        for known in base.__dict__.get("__dataclass_fields__", {}).values():
            found[known.name] = known
    annotations = cls.__dict__.get("__annotations__", {})
    for name, kind in annotations.items():
        if kind is KW_ONLY or _is_named(kind, "KW_ONLY"):
            if keyword_only:
                raise TypeError("%r is KW_ONLY, but KW_ONLY has already been specified" % name)
            keyword_only = kw_only = True
        else:
            found[name] = _own_field(cls, name, kind, kw_only)
    for name, item in cls.__dict__.items():
        if isinstance(item, Field) and name not in annotations:
            raise TypeError("%r is a field but has no type annotation" % name)
    return found


# ---- methods that are made ----

def _function(cls, name, text, space):
    holder = {}
    exec("class %s:\n    %s" % (cls.__name__, text.replace("\n", "\n    ")), space, holder)
    made = holder[cls.__name__].__dict__[name]
    made.__qualname__ = "%s.%s" % (cls.__qualname__, name)
    return made


def _make_init(cls, fields, frozen):
    space = {"_set": object.__setattr__, "_factory": MISSING, "__name__": cls.__module__}
    me = "self" if all(f.name != "self" for f in fields) else "__dataclass_self__"
    plain, keyword, body = [], [], []
    seen_default = False
    for i, f in enumerate(fields):
        source, default = f.name, ""
        if f.default is not MISSING:
            space["_default%d" % i] = f.default
            default = "=_default%d" % i
        elif f.default_factory is not MISSING:
            space["_make%d" % i] = f.default_factory
            default = "=_factory"
            source = "_make%d() if %s is _factory else %s" % (i, f.name, f.name) if f.init else "_make%d()" % i
        if f.init:
            if not f.kw_only:
                if seen_default and not default:
                    raise TypeError("non-default argument %r follows default argument" % f.name)
                seen_default = seen_default or bool(default)
            (keyword if f.kw_only else plain).append(f.name + default)
        elif f.default_factory is MISSING:
            if "__slots__" not in cls.__dict__ or f.default is MISSING:
                continue  # a default is an attribute of the class
            source = "_default%d" % i
        if not f._kind:
            body.append("_set(%s, %r, %s)" % (me, f.name, source) if frozen else "%s.%s = %s" % (me, f.name, source))
    if hasattr(cls, "__post_init__"):
        body.append("%s.__post_init__(%s)" % (me, ", ".join([f.name for f in fields if f._kind == "InitVar"])))
    arguments = [me] + plain + (["*"] + keyword if keyword else [])
    text = "def __init__(%s):\n    %s" % (", ".join(arguments), "\n    ".join(body or ["pass"]))
    made = _function(cls, "__init__", text, space)
    made.__annotations__ = {**{f.name: f.type for f in fields if f.init}, "return": None}
    return made


def _values(names):
    return lambda self: tuple([getattr(self, name) for name in names])


_showing = set()


def _make_repr(shown):
    def __repr__(self):
        if id(self) in _showing:
            return "..."
        _showing.add(id(self))
        try:
            return "%s(%s)" % (self.__class__.__qualname__,
                               ", ".join(["%s=%r" % (name, getattr(self, name)) for name in shown]))
        finally:
            _showing.discard(id(self))

    return __repr__


def _add_compare(cls, names, order):
    values = _values(names)

    def __eq__(self, other):
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __lt__(self, other):
        return values(self) < values(other) if other.__class__ is self.__class__ else NotImplemented

    def __le__(self, other):
        return values(self) <= values(other) if other.__class__ is self.__class__ else NotImplemented

    def __gt__(self, other):
        return values(self) > values(other) if other.__class__ is self.__class__ else NotImplemented

    def __ge__(self, other):
        return values(self) >= values(other) if other.__class__ is self.__class__ else NotImplemented

    _add(cls, __eq__)
    for method in (__lt__, __le__, __gt__, __ge__) if order else ():
        if not _add(cls, method):
            raise TypeError("Cannot overwrite attribute %s in class %s. Consider using functools.total_ordering"
                            % (method.__name__, cls.__name__))


def _add_frozen(cls, names):
    def __setattr__(self, name, value):
        if type(self) is cls or name in names:
            raise FrozenInstanceError("cannot assign to field %r" % name)
        super(cls, self).__setattr__(name, value)

    def __delattr__(self, name):
        if type(self) is cls or name in names:
            raise FrozenInstanceError("cannot delete field %r" % name)
        super(cls, self).__delattr__(name)

    for method in (__setattr__, __delattr__):
        if not _add(cls, method):
            raise TypeError("Cannot overwrite attribute %s in class %s" % (method.__name__, cls.__name__))


def _add(cls, method):
    # A method that the class has itself stays; returns whether it was added.
    if method.__name__ in cls.__dict__:
        return False
    method.__qualname__ = "%s.%s" % (cls.__qualname__, method.__name__)
    setattr(cls, method.__name__, method)
    return True


def _add_hash(cls, fields, unsafe_hash, eq, frozen, own):
    # `own`: the class has a __hash__ of its own, not one that its __eq__ took away.
    if unsafe_hash and own:
        raise TypeError("Cannot overwrite attribute __hash__ in class %s" % cls.__name__)
    if unsafe_hash or (eq and frozen and not own):
        values = _values([f.name for f in fields if (f.compare if f.hash is None else f.hash)])

        def __hash__(self):
            return hash(values(self))

        __hash__.__qualname__ = "%s.__hash__" % cls.__qualname__
        cls.__hash__ = __hash__
    elif eq and not own:
        cls.__hash__ = None


def _check_frozen(cls, frozen):
    for base in cls.__mro__[1:]:
        options = base.__dict__.get("__dataclass_params__")
        if options is not None and options["frozen"] != frozen:
            raise TypeError("cannot inherit frozen dataclass from a non-frozen one" if frozen else
                            "cannot inherit non-frozen dataclass from a frozen one")


def _with_slots(cls, names, frozen):
    """The class made once more, with __slots__ for those of the fields that no base has."""
    inherited = [name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())]
    if "__slots__" in cls.__dict__:
        raise TypeError("%s already specifies __slots__" % cls.__name__)
    body = {name: item for name, item in cls.__dict__.items() if name not in names}
    body["__slots__"] = tuple([name for name in names if name not in inherited])
    body["__qualname__"] = cls.__qualname__

    def __getstate__(self):
        return [getattr(self, name) for name in names]

    def __setstate__(self, state):
        for name, value in zip(names, state):
            object.__setattr__(self, name, value)

    if frozen:  # copies are filled past its __setattr__
        body = {"__getstate__": __getstate__, "__setstate__": __setstate__, **body}
    return type(cls)(cls.__name__, cls.__bases__, body)


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False,
              match_args=True, kw_only=False, slots=False, weakref_slot=False):
    def decorate(cls):
        known = _collect(cls, kw_only)
        _check_frozen(cls, frozen)
        if order and not eq:
            raise ValueError("eq must be true if order is true")
        own_hash = cls.__dict__.get("__hash__", MISSING)
        own_hash = own_hash is not MISSING and not (own_hash is None and "__eq__" in cls.__dict__)
        arguments = [f for f in known.values() if f._kind != "ClassVar"]
        fields = [f for f in arguments if not f._kind]
        if slots:
            cls = _with_slots(cls, [f.name for f in fields], frozen)
        cls.__dataclass_fields__ = known
        cls.__dataclass_params__ = {"frozen": frozen}
        if init:
            _add(cls, _make_init(cls, arguments, frozen))
        if repr:
            _add(cls, _make_repr([f.name for f in fields if f.repr]))
        if eq:
            _add_compare(cls, [f.name for f in fields if f.compare], order)
        if frozen:
            _add_frozen(cls, [f.name for f in fields])
        _add_hash(cls, fields, unsafe_hash, eq, frozen, own_hash)
        if match_args and "__match_args__" not in cls.__dict__:
            cls.__match_args__ = tuple([f.name for f in arguments if f.init and not f.kw_only])
        return cls

    return decorate if cls is None else decorate(cls)


# ---- questions and copies ----

def fields(class_or_instance):
    found = getattr(class_or_instance, "__dataclass_fields__", None)
    if found is None:
        raise TypeError("must be called with a dataclass type or instance")
    return tuple([f for f in found.values() if not f._kind])


def is_dataclass(obj):
    return hasattr(obj if isinstance(obj, type) else type(obj), "__dataclass_fields__")


def _is_instance(obj):
    return not isinstance(obj, type) and hasattr(type(obj), "__dataclass_fields__")


def _plain(item, convert):
    # A copy in which `convert` has made something else of each dataclass.
    if _is_instance(item):
        return convert([(f.name, _plain(getattr(item, f.name), convert)) for f in fields(item)])
    if isinstance(item, tuple) and hasattr(item, "_fields"):
        return type(item)(*[_plain(part, convert) for part in item])
    if isinstance(item, (list, tuple)):
        return type(item)([_plain(part, convert) for part in item])
    if isinstance(item, dict):
        pairs = [(_plain(k, convert), _plain(v, convert)) for k, v in item.items()]
        return type(item)(item.default_factory, pairs) if hasattr(item, "default_factory") else type(item)(pairs)
    return _copy.deepcopy(item)


def asdict(obj, *, dict_factory=dict):
    if not _is_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _plain(obj, dict_factory)


def astuple(obj, *, tuple_factory=tuple):
    if not _is_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _plain(obj, lambda pairs: tuple_factory([value for name, value in pairs]))


def replace(obj, /, **changes):
    if not _is_instance(obj):
        raise TypeError("replace() should be called on dataclass instances")
    for f in obj.__dataclass_fields__.values():
        if f._kind == "ClassVar":
            continue
        if not f.init:
            if f.name in changes:
                raise ValueError("field %s is declared with init=False, it cannot be specified with replace()" % f.name)
        elif f.name not in changes:
            if f._kind and f.default is MISSING:
                raise ValueError("InitVar %r must be specified with replace()" % f.name)
            if not f._kind:
                changes[f.name] = getattr(obj, f.name)
    return obj.__class__(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, module=None, **options):
    body, annotations = dict(namespace or {}), {}
    for item in fields:
        name, kind, *default = (item, "typing.Any") if isinstance(item, str) else item
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError("Field names must be valid identifiers: %r" % name)
        if name in annotations:
            raise TypeError("Field name duplicated: %r" % name)
        annotations[name] = kind
        if default:
            body[name] = default[0]
    body["__annotations__"] = annotations
    body["__module__"] = module or _sys._getframemodulename(1)
    return dataclass(type(cls_name, tuple(bases), body), **options)
