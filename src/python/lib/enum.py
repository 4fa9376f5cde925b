# SPDX-License-Identifier: MIT
# enum. A class derived from Enum is made by _make, which turns its plain attributes into members.


class auto:
    def __init__(self):
        pass


def unique(enumeration):
    for name, member in enumeration.__members__.items():
        if name != member.name:
            raise ValueError("duplicate values found in %r: %s -> %s" % (enumeration, name, member.name))
    return enumeration


def _is_member(name, item):
    if name.startswith("_") or isinstance(item, (property, classmethod, staticmethod)):
        return False
    return not (callable(item) and not isinstance(item, type)) and not hasattr(item, "__get__")


def _make(name, bases, namespace, **kwargs):
    if any(getattr(base, "_member_map_", None) for base in bases):
        taken = [base for base in bases if getattr(base, "_member_map_", None)][0]
        raise TypeError("<enum %r> cannot extend %r" % (name, taken))
    body = {key: item for key, item in namespace.items() if not _is_member(key, item)}
    if any(base in (str, int, float) for base in bases):  # such members behave as their values, but are no str, ...
        bases = (_Value,)
        body.setdefault("__str__", Enum.__str__)
    init = body.pop("__init__", None)
    made = type(name, bases, body)
    made._member_map_ = {}
    made._value2member_map_ = {}
    last = []
    for key, item in namespace.items():
        if not _is_member(key, item):
            continue
        if isinstance(item, auto):
            item = made._generate_next_value_(key, 1, len(last), last)
        last.append(item)
        _add(made, key, item, init)
    return made


def _add(made, name, item, init):
    kind = made._kind
    member = object.__new__(made) if kind is object else kind.__new__(made, item)
    member._name_, member._value_ = name, item
    if init is not None:
        init(member, *(item if isinstance(item, tuple) else (item,)))
    for known in made._member_map_.values():
        if known._value_ == member._value_:
            made._member_map_[name] = known
            setattr(made, name, known)
            return
    made._member_map_[name] = member
    try:
        made._value2member_map_[member._value_] = member
    except TypeError:
        pass
    setattr(made, name, member)


def _named(cls, name, names, start):
    """Enum("E", "A B"), of names or of a mapping or pairs with the values."""
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    pairs = names.items() if hasattr(names, "items") else names
    items = [(pair, start + i) if isinstance(pair, str) else pair for i, pair in enumerate(pairs)]
    return _make(name, (cls,), dict(items))


class Enum:
    _kind = object
    _member_map_ = {}
    __make_class__ = staticmethod(_make)

    def __new__(cls, value, names=None, *, start=1):
        if names is not None:
            return _named(cls, value, names, start)
        if isinstance(value, cls):
            return value
        for member in cls._member_map_.values():
            if member._value_ == value:
                return member
        found = cls._missing_(value)
        if found is not None:
            return found
        raise ValueError("%r is not a valid %s" % (value, cls.__qualname__))

    @classmethod
    def _missing_(cls, value):
        return None

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        numbers = [value for value in last_values if isinstance(value, int)]
        return max(numbers) + 1 if numbers else start

    def __class_getitem__(cls, name):
        return cls._member_map_[name]

    @classmethod
    def __class_iter__(cls):
        return iter([member for name, member in cls._member_map_.items() if name == member._name_])

    @classmethod
    def __class_len__(cls):
        return sum(1 for name, member in cls._member_map_.items() if name == member._name_)

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        return "<%s.%s: %r>" % (type(self).__name__, self._name_, self._value_)

    def __str__(self):
        return "%s.%s" % (type(self).__name__, self._name_)

    def __format__(self, spec):
        return format(str(self), spec)

    def __hash__(self):
        return hash(self._name_)

    def __eq__(self, other):
        return self is other

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class _Value(Enum):
    """Members that behave as their values."""

    def __str__(self):
        return str(self._value_)

    def __hash__(self):
        return hash(self._value_)

    def __eq__(self, other):
        return self._value_ == _plain(other)

    def __ne__(self, other):
        return self._value_ != _plain(other)

    def __lt__(self, other):
        return self._value_ < _plain(other)

    def __le__(self, other):
        return self._value_ <= _plain(other)

    def __gt__(self, other):
        return self._value_ > _plain(other)

    def __ge__(self, other):
        return self._value_ >= _plain(other)

    def __add__(self, other):
        return self._value_ + _plain(other)

    def __radd__(self, other):
        return _plain(other) + self._value_

    def __sub__(self, other):
        return self._value_ - _plain(other)

    def __mul__(self, other):
        return self._value_ * _plain(other)

    def __int__(self):
        return int(self._value_)

    def __index__(self):
        return self._value_

    def __format__(self, spec):
        return format(self._value_, spec)


def _plain(value):
    return value._value_ if isinstance(value, Enum) else value


class IntEnum(_Value):
    pass


class StrEnum(_Value):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __getattr__(self, name):
        return getattr(self._value_, name)

    def __len__(self):
        return len(self._value_)
