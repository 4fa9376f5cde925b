# SPDX-License-Identifier: MIT
# enum. EnumType, the metaclass, makes members of the plain attributes of a class: instances of the class, which may be
# derived from the type of the values (str, int, ...) too.
import sys as _sys


class auto:
    def __init__(self, value=None):
        pass


class member:
    def __init__(self, value):
        self.value = value


class nonmember(member):
    pass


def unique(enumeration):
    twice = ["%s -> %s" % (name, item.name) for name, item in enumeration.__members__.items() if name != item.name]
    if twice:
        raise ValueError("duplicate values found in %r: %s" % (enumeration, ", ".join(twice)))
    return enumeration


_bit_methods = ("__or__", "__and__", "__xor__", "__ror__", "__rand__", "__rxor__", "__invert__")
_descriptors = (property, staticmethod, classmethod, type(unique), type(len))


def _is_single_bit(number):
    return number > 0 and number & (number - 1) == 0


def _is_member(name, item):
    if isinstance(item, member):
        return not isinstance(item, nonmember)
    if name.startswith("__") and name.endswith("__") or name.startswith("_") and name.endswith("_"):
        return False
    return not hasattr(item, "__get__") and not isinstance(item, _descriptors)


class _Body(dict):
    """What the body of an enumeration fills: the values of its members are taken aside."""

    def __init__(self, cls_name, bases):
        super().__init__()
        self.owner, self.members, self.last, self.ignored = cls_name, {}, [], []
        self.generate = next((base._generate_next_value_ for base in bases if hasattr(base, "_generate_next_value_")),
                             None)

    def __setitem__(self, key, item):
        if key in self.members:
            raise TypeError("%r already defined as %r" % (key, self.members[key]))
        if key == "_ignore_":
            self.ignored = item.replace(",", " ").split() if isinstance(item, str) else list(item)
        elif key == "_generate_next_value_":
            self.generate = item.__func__ if isinstance(item, staticmethod) else item
        elif key.startswith("_%s__" % self.owner) or key in self.ignored or not _is_member(key, item):
            item = item.value if isinstance(item, nonmember) else item
        elif key in self:
            raise TypeError("%r already defined as %r" % (key, self[key]))
        else:
            item = self.members[key] = self._value(key, item.value if isinstance(item, member) else item)
            self.last.append(item)
        super().__setitem__(key, item)

    def _value(self, key, item):
        if isinstance(item, auto):
            return self.generate(key, 1, len(self.members), self.last[:])
        if isinstance(item, tuple) and any(isinstance(part, auto) for part in item):
            return tuple([self._value(key, part) for part in item])
        return item


def _value_type(bases):
    """The type that members are derived from beside Enum: str, int, a class of one's own; or object."""
    for base in bases:
        for kind in base.__mro__:
            if kind is object or issubclass(kind, Enum):
                continue
            if "__new__" in kind.__dict__ or "__init__" in kind.__dict__ or "__dataclass_fields__" in kind.__dict__:
                return base if not issubclass(base, Enum) else kind
    return object


class EnumType(type):
    def __prepare__(name, bases, **kwargs):
        _refuse_members(name, bases)
        return _Body(name, bases)

    def __new__(mcls, name, bases, namespace, *, boundary=None, **kwargs):
        body = namespace
        if not isinstance(body, _Body):  # type(name, bases, {...})
            body = mcls.__prepare__(name, bases)
            for key, item in namespace.items():
                body[key] = item
        plain = {key: item for key, item in body.items() if key not in body.members and key not in body.ignored}
        new = plain.pop("__new__", None)
        cls = super().__new__(mcls, name, bases, plain, **kwargs)
        cls._member_map_, cls._value2member_map_, cls._member_names_ = {}, {}, []
        cls._member_type_ = _value_type(bases) if Enum else object
        if new is not None:
            cls._new_member_ = new
        if Enum:
            _inherit_texts(cls, plain, bases)
        if Flag and issubclass(cls, Flag):
            cls._boundary_ = boundary or getattr(cls, "_boundary_", STRICT)
        for key, item in body.members.items():
            _add(cls, key, item)
        if Flag and issubclass(cls, Flag):
            _settle_bits(cls)
        return cls

    def __call__(cls, value, names=None, *values, module=None, qualname=None, type=None, start=1, boundary=None):
        if cls._member_map_:
            return _lookup(cls, (value, names, *values) if names is not None else value)
        if names is None and type is None:
            raise TypeError("%r has no members; specify `names=()` if you meant to create a new, empty, enum" % cls)
        place = {"__module__": module or _sys._getframemodulename(1), "__qualname__": qualname or value}
        return _named(cls, value, names or (), (type,) if type else (), start, place, boundary)

    def __iter__(cls):
        return (cls._member_map_[name] for name in cls._member_names_)

    def __reversed__(cls):
        return (cls._member_map_[name] for name in reversed(cls._member_names_))

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __contains__(cls, value):
        if isinstance(value, cls):
            return True
        try:
            return value in cls._value2member_map_
        except TypeError:
            return any(item._value_ == value for item in cls._member_map_.values())

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __setattr__(cls, name, value):
        if name in cls.__dict__.get("_member_map_", {}) and not isinstance(value, cls):
            raise AttributeError("cannot reassign member %r" % name)
        super().__setattr__(name, value)

    def __delattr__(cls, name):
        if name in cls._member_map_:
            raise AttributeError("%r cannot delete member %r." % (cls.__name__, name))
        super().__delattr__(name)

    def __dir__(cls):
        return ["__class__", "__contains__", "__doc__", "__getitem__", "__init_subclass__", "__iter__", "__len__",
                "__members__", "__module__", "__name__", "__qualname__"] + cls._member_names_

    def __repr__(cls):
        return "<%s %r>" % ("flag" if Flag and issubclass(cls, Flag) else "enum", cls.__name__)

    @property
    def __members__(cls):
        return _proxy(cls._member_map_)


EnumMeta = EnumType
_proxy = type(type.__dict__)


def _refuse_members(name, bases):
    for base in bases:
        if getattr(base, "_member_map_", None):
            raise TypeError("<enum %r> cannot extend %r" % (name, base))


def _inherit_texts(cls, body, bases):
    # A member shows itself as one, and its bits are those of a flag, also where the type of its value has an answer
    # of its own.
    first, value_type = bases[-1], cls._member_type_
    for name in ("__repr__", "__str__", "__format__"):
        if name not in body and getattr(cls, name) in (getattr(value_type, name), getattr(object, name)):
            setattr(cls, name, getattr(first, name))
    for name in _bit_methods if Flag and issubclass(cls, Flag) else ():
        if name not in body:
            setattr(cls, name, getattr(Flag, name))


def _add(cls, name, item):
    arguments = item if isinstance(item, tuple) else (item,)
    kind, new = cls._member_type_, getattr(cls, "_new_member_", None)
    if new is not None:
        made = (new.__func__ if isinstance(new, staticmethod) else new)(cls, *arguments)
    elif kind is object or kind.__new__ is object.__new__:
        made = object.__new__(cls)
    else:
        made = kind.__new__(cls, *((item,) if kind is tuple else arguments))
    if not hasattr(made, "_value_"):
        plain = kind is object or new is not None or not _is_builtin(kind)
        made._value_ = item if plain else kind(*((item,) if kind is tuple else arguments))
    made._name_ = name
    if cls.__init__ is not object.__init__:
        made.__init__(*arguments)
    known = _known(cls, made._value_)
    if known is None:
        known = made
        known._sort_order_ = len(cls._member_names_)
        if not issubclass(cls, Flag or ()) or not isinstance(made._value_, int) or _is_single_bit(made._value_):
            cls._member_names_.append(name)
        try:
            cls._value2member_map_.setdefault(made._value_, made)
        except TypeError:
            pass
    cls._member_map_[name] = known
    setattr(cls, name, known)


def _is_builtin(kind):
    return kind in (str, int, float, bytes, tuple, complex)


def _known(cls, value):
    try:
        if value in cls._value2member_map_:
            return cls._value2member_map_[value]
    except TypeError:
        pass
    for item in cls._member_map_.values():
        if item._value_ == value:
            return item
    return None


def _lookup(cls, value):
    if type(value) is cls:
        return value
    found = _known(cls, value)
    if found is None:
        found = cls._missing_(value)
    if isinstance(found, cls) or found is not None and Flag and issubclass(cls, Flag) and isinstance(found, int):
        return found
    if found is None:
        raise ValueError("%r is not a valid %s" % (value, cls.__qualname__))
    raise TypeError("error in %s._missing_: returned %r instead of None or a valid member" % (cls.__name__, found))


def _named(cls, name, names, mixed, start, place, boundary):
    """Enum("E", "A B"), of names or of a mapping or pairs with the values."""
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    pairs = names.items() if hasattr(names, "items") else names
    body, last = type(cls).__prepare__(name, mixed + (cls,)), []
    for key, item in place.items():
        body[key] = item
    for i, pair in enumerate(pairs):
        key, item = (pair, cls._generate_next_value_(pair, start, i, last[:])) if isinstance(pair, str) else pair
        last.append(item)
        body[key] = item
    return type(cls)(name, mixed + (cls,), body, boundary=boundary)


Enum = Flag = None


class Enum(metaclass=EnumType):
    @classmethod
    def _missing_(cls, value):
        return None

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return max(last_values) + 1 if last_values else start

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        fields = getattr(type(self)._member_type_, "__dataclass_fields__", None)
        text = repr(self._value_) if fields is None else ", ".join(
            ["%s=%r" % (name, getattr(self, name)) for name, field in fields.items() if field.repr])
        return "<%s.%s: %s>" % (type(self).__name__, self._name_, text)

    def __str__(self):
        return "%s.%s" % (type(self).__name__, self._name_)

    def __format__(self, spec):
        return format(str(self), spec)

    def __hash__(self):
        return hash(self._name_)

    def __dir__(self):
        return ["__class__", "__doc__", "__eq__", "__hash__", "__module__", "name", "value"]

    def __reduce_ex__(self, protocol):
        return type(self), (self._value_,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ReprEnum(Enum):
    """Members that show themselves as their values, but for repr()."""


class IntEnum(int, ReprEnum):
    __str__ = int.__repr__
    __format__ = int.__format__


class StrEnum(str, ReprEnum):
    __str__ = str.__str__
    __format__ = str.__format__

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()


class FlagBoundary(StrEnum):
    """What becomes of bits that no member has."""
    STRICT = auto()
    CONFORM = auto()
    EJECT = auto()
    KEEP = auto()


STRICT, CONFORM, EJECT, KEEP = FlagBoundary


def _settle_bits(cls):
    numbers = [item._value_ for item in cls._member_map_.values() if isinstance(item._value_, int)]
    cls._flag_mask_ = cls._singles_mask_ = 0
    for number in numbers:
        cls._flag_mask_ |= number
        cls._singles_mask_ |= number if _is_single_bit(number) else 0
    cls._member_names_.sort(key=lambda name: cls._member_map_[name]._value_)


def _bits(number, width):
    return "0b%d %s" % (number < 0, format(number & (1 << width) - 1, "0%db" % width))


def _refuse_bits(cls, number):
    width = max(number.bit_length(), cls._flag_mask_.bit_length())
    raise ValueError("%r invalid value %r\n    given %s\n  allowed %s"
                     % (cls, number, _bits(number, width), _bits(cls._flag_mask_, width)))


def _combined_name(cls, number):
    names, seen = [], 0
    for item in sorted(cls._member_map_.values(), key=lambda item: not _is_single_bit(item._value_)):
        part = item._value_
        if part and part & number == part and part & ~seen and item._name_ not in names:
            names.append(item._name_)
            seen |= part
    if names and number & ~seen:
        names.append(str(number & ~seen))
    return "|".join(names) or None


class Flag(Enum, boundary=STRICT):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return 1 << max(last_values).bit_length() if last_values else start

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            raise ValueError("%r is not a valid %s" % (value, cls.__qualname__))
        number, every = value, (1 << cls._flag_mask_.bit_length()) - 1
        if not ~every <= number <= every or number & (every ^ cls._flag_mask_) and number >= 0:
            if cls._boundary_ is STRICT:
                _refuse_bits(cls, number)
            if cls._boundary_ is EJECT:
                return number
            if cls._boundary_ is CONFORM:
                number &= cls._flag_mask_
            elif number < 0:
                number += max(every + 1, 1 << number.bit_length())
        if number < 0:
            number = every + 1 + number if cls._boundary_ in (EJECT, KEEP) else cls._singles_mask_ & number
        made = cls._value2member_map_.get(number)
        if made is None:
            made = object.__new__(cls) if cls._member_type_ is object else cls._member_type_.__new__(cls, number)
            made._value_, made._name_ = number, _combined_name(cls, number)
            cls._value2member_map_[number] = made
        cls._value2member_map_[value] = made
        return made

    def _operand(self, other):
        if isinstance(other, type(self)):
            return other._value_
        return other if self._member_type_ is not object and isinstance(other, self._member_type_) else None

    def __or__(self, other):
        number = self._operand(other)
        return NotImplemented if number is None else type(self)(self._value_ | number)

    def __and__(self, other):
        number = self._operand(other)
        return NotImplemented if number is None else type(self)(self._value_ & number)

    def __xor__(self, other):
        number = self._operand(other)
        return NotImplemented if number is None else type(self)(self._value_ ^ number)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __invert__(self):
        kept = -1 if self._boundary_ in (EJECT, KEEP) else self._singles_mask_
        return type(self)(kept & ~self._value_)

    def __contains__(self, other):
        if not isinstance(other, type(self)):
            raise TypeError("unsupported operand type(s) for 'in': %r and %r"
                            % (type(other).__qualname__, type(self).__qualname__))
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter([item for item in type(self) if item._value_ & self._value_])

    def __len__(self):
        return (self._value_ & (1 << max(self._flag_mask_.bit_length(), 1)) - 1).bit_count()

    def __bool__(self):
        return bool(self._value_)

    def __repr__(self):
        text = "<" + type(self).__name__ + ("." + self._name_ if self._name_ else "")
        return "%s: %r>" % (text, int(self._value_))

    def __str__(self):
        name = type(self).__name__
        return "%s.%s" % (name, self._name_) if self._name_ else "%s(%r)" % (name, int(self._value_))


class IntFlag(int, ReprEnum, Flag, boundary=KEEP):
    __str__ = int.__repr__
    __format__ = int.__format__
