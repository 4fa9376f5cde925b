# SPDX-License-Identifier: MIT
# dataclasses.


class _Missing:
    def __repr__(self):
        return "<dataclasses._MISSING_TYPE object>"


MISSING = _Missing()
KW_ONLY = _Missing()


class FrozenInstanceError(AttributeError):
    pass


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = self.type = None
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.hash, self.compare = init, repr, hash, compare
        self.metadata, self.kw_only = metadata or {}, kw_only


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None,
          kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _collect(cls, kw_only):
    found = {}
    for base in cls.__mro__[-1:0:-1]:
        for known in base.__dict__.get("__dataclass_fields__", {}).values():
            found[known.name] = known
    for name, kind in cls.__dict__.get("__annotations__", {}).items():
        text = kind if isinstance(kind, str) else str(kind)
        if text.split(".")[-1].startswith("ClassVar") or "typing.ClassVar" in text:
            continue
        if text.split(".")[-1] == "KW_ONLY":
            kw_only = True
            continue
        default = cls.__dict__.get(name, MISSING)
        made = default if isinstance(default, Field) else field(default=default)
        made.name, made.type = name, kind
        if made.kw_only is MISSING:
            made.kw_only = kw_only
        if isinstance(made.default, (list, dict, set)):
            raise ValueError("mutable default %s for field %s is not allowed: use default_factory"
                             % (type(made.default), name))
        if isinstance(default, Field):
            if default.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, default.default)
        found[name] = made
    return found


def _function(cls, name, text, space):
    holder = {}
    exec("class %s:\n    %s" % (cls.__name__, text.replace("\n", "\n    ")), space, holder)
    return holder[cls.__name__].__dict__[name]


def _make_init(cls, fields, frozen):
    space = {"_set": object.__setattr__, "_factory": MISSING, "__name__": cls.__module__}
    plain, keyword, body = [], [], []
    seen_default = False
    for i, f in enumerate(fields.values()):
        source = f.name
        if f.default is not MISSING:
            space["_default%d" % i] = f.default
            default = "=_default%d" % i
        elif f.default_factory is not MISSING:
            space["_make%d" % i] = f.default_factory
            default = "=_factory"
            source = "_make%d() if %s is _factory else %s" % (i, f.name, f.name) if f.init else "_make%d()" % i
        else:
            default = ""
        if f.init:
            if not f.kw_only:
                if seen_default and not default:
                    raise TypeError("non-default argument %r follows default argument" % f.name)
                seen_default = seen_default or bool(default)
            (keyword if f.kw_only else plain).append(f.name + default)
        elif f.default is not MISSING:
            source = "_default%d" % i
        elif f.default_factory is MISSING:
            continue
        body.append("_set(self, %r, %s)" % (f.name, source) if frozen else "self.%s = %s" % (f.name, source))
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    arguments = ["self"] + plain + (["*"] + keyword if keyword else [])
    text = "def __init__(%s):\n    %s" % (", ".join(arguments), "\n    ".join(body or ["pass"]))
    return _function(cls, "__init__", text, space)


def _values(names):
    return lambda self: tuple([getattr(self, name) for name in names])


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

    if "__eq__" not in cls.__dict__:
        cls.__eq__ = __eq__
    if order:
        cls.__lt__, cls.__le__, cls.__gt__, cls.__ge__ = __lt__, __le__, __gt__, __ge__


def _add_frozen(cls, fields):
    def __setattr__(self, name, value):
        raise FrozenInstanceError("cannot assign to field %r" % name)

    def __delattr__(self, name):
        raise FrozenInstanceError("cannot delete field %r" % name)

    cls.__setattr__, cls.__delattr__ = __setattr__, __delattr__


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False,
              match_args=True, kw_only=False, slots=False, weakref_slot=False):
    def decorate(cls):
        fields = _collect(cls, kw_only)
        cls.__dataclass_fields__ = fields
        if init:
            cls.__init__ = _make_init(cls, fields, frozen)
        shown = [f.name for f in fields.values() if f.repr]

        def __repr__(self):
            return "%s(%s)" % (self.__class__.__qualname__,
                               ", ".join(["%s=%r" % (name, getattr(self, name)) for name in shown]))

        if repr and "__repr__" not in cls.__dict__:
            cls.__repr__ = __repr__
        compared = [f.name for f in fields.values() if f.compare]
        if eq:
            _add_compare(cls, compared, order)
        if unsafe_hash or (eq and frozen):
            values = _values(compared)
            cls.__hash__ = lambda self: hash(values(self))
        elif eq and "__hash__" not in cls.__dict__:
            cls.__hash__ = None
        if frozen:
            _add_frozen(cls, fields)
        if match_args:
            cls.__match_args__ = tuple(f.name for f in fields.values() if f.init and not f.kw_only)
        return cls

    return decorate if cls is None else decorate(cls)


def fields(class_or_instance):
    found = getattr(class_or_instance, "__dataclass_fields__", None)
    if found is None:
        raise TypeError("must be called with a dataclass type or instance")
    return tuple(found.values())


def is_dataclass(obj):
    return hasattr(obj if isinstance(obj, type) else type(obj), "__dataclass_fields__")


def _plain(item, dict_factory):
    if is_dataclass(item) and not isinstance(item, type):
        return dict_factory([(f.name, _plain(getattr(item, f.name), dict_factory)) for f in fields(item)])
    if isinstance(item, (list, tuple)) and not hasattr(item, "_fields"):
        return type(item)([_plain(part, dict_factory) for part in item])
    if isinstance(item, dict):
        return type(item)([(_plain(k, dict_factory), _plain(v, dict_factory)) for k, v in item.items()])
    return item


def asdict(obj, *, dict_factory=dict):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("asdict() should be called on dataclass instances")
    return _plain(obj, dict_factory)


def astuple(obj, *, tuple_factory=tuple):
    return tuple_factory([astuple(v) if is_dataclass(v) else v for v in (getattr(obj, f.name) for f in fields(obj))])


def replace(obj, /, **changes):
    for f in fields(obj):
        if f.init and f.name not in changes:
            changes[f.name] = getattr(obj, f.name)
    return obj.__class__(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    body, annotations = dict(namespace or {}), {}
    for item in fields:
        name, kind, *default = (item, "typing.Any") if isinstance(item, str) else item
        annotations[name] = kind
        if default:
            body[name] = default[0]
    body["__annotations__"] = annotations
    return dataclass(type(cls_name, tuple(bases), body), **options)
