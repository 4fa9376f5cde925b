# SPDX-License-Identifier: MIT
# operator.


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def ge(a, b):
    return a >= b


def gt(a, b):
    return a > b


def not_(a):
    return not a


def truth(a):
    return bool(a)


def is_(a, b):
    return a is b


def is_not(a, b):
    return a is not b


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def pow(a, b):
    return a ** b


def matmul(a, b):
    return a @ b


def and_(a, b):
    return a & b


def or_(a, b):
    return a | b


def xor(a, b):
    return a ^ b


def lshift(a, b):
    return a << b


def rshift(a, b):
    return a >> b


def neg(a):
    return -a


def pos(a):
    return +a


def invert(a):
    return ~a


inv = invert


def index(a):
    return a if type(a) is int else int(hex(a), 16)


def _sequence(a):
    if not hasattr(a, "__getitem__"):
        raise TypeError(f"'{type(a).__name__}' object can't be concatenated")
    return a


def concat(a, b):
    return _sequence(a) + b


def contains(a, b):
    return b in a


def countOf(a, b):
    return sum(1 for item in a if item is b or item == b)


def indexOf(a, b):
    for i, item in enumerate(a):
        if item is b or item == b:
            return i
    raise ValueError("sequence.index(x): x not in sequence")


def getitem(a, b):
    return a[b]


def setitem(a, b, c):
    a[b] = c


def delitem(a, b):
    del a[b]


def iadd(a, b):
    a += b
    return a


def iconcat(a, b):
    return iadd(_sequence(a), b)


def isub(a, b):
    a -= b
    return a


def imul(a, b):
    a *= b
    return a


def ior(a, b):
    a |= b
    return a


def iand(a, b):
    a &= b
    return a


def itruediv(a, b):
    a /= b
    return a


def ifloordiv(a, b):
    a //= b
    return a


def imod(a, b):
    a %= b
    return a


def ipow(a, b):
    a **= b
    return a


def imatmul(a, b):
    a @= b
    return a


def ilshift(a, b):
    a <<= b
    return a


def irshift(a, b):
    a >>= b
    return a


def ixor(a, b):
    a ^= b
    return a


_abs = abs


def abs(a):
    return _abs(a)


def call(obj, /, *args, **kwargs):
    return obj(*args, **kwargs)


def length_hint(obj, default=0):
    try:
        return len(obj)
    except TypeError:
        return default


class itemgetter:
    def __init__(self, item, /, *items):
        self._items = (item, *items)

    def __call__(self, obj):
        if len(self._items) == 1:
            return obj[self._items[0]]
        return tuple([obj[item] for item in self._items])

    def __repr__(self):
        return "operator.itemgetter(%s)" % ", ".join(map(repr, self._items))


def _dotted(obj, name):
    for part in name.split("."):
        obj = getattr(obj, part)
    return obj


class attrgetter:
    def __init__(self, attr, /, *attrs):
        self._attrs = (attr, *attrs)
        for name in self._attrs:
            if not isinstance(name, str):
                raise TypeError("attribute name must be a string")

    def __call__(self, obj):
        if len(self._attrs) == 1:
            return _dotted(obj, self._attrs[0])
        return tuple([_dotted(obj, name) for name in self._attrs])

    def __repr__(self):
        return "operator.attrgetter(%s)" % ", ".join(map(repr, self._attrs))


class methodcaller:
    def __init__(self, name, /, *args, **kwargs):
        self._name, self._args, self._kwargs = name, args, kwargs

    def __call__(self, obj):
        return getattr(obj, self._name)(*self._args, **self._kwargs)
