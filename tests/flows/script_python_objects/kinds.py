# Classes of a local module, which the scripts import, too.
from collections import OrderedDict, namedtuple
from dataclasses import dataclass, field
from enum import Enum, Flag, IntEnum
from typing import NamedTuple


@dataclass
class Cfg:
    a: int
    more: list = field(default_factory=list)


@dataclass(frozen=True)
class Frozen:
    a: int


class Slots:
    __slots__ = "x", "y"

    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return "Slots(%r)" % self.x


class Plain:
    class Inner:
        def __repr__(self):
            return "Inner(%r)" % vars(self)


class Reduced:
    def __init__(self, x):
        self.x = x

    def __reduce__(self):
        return Reduced, (self.x,)

    def __repr__(self):
        return "Reduced(%r)" % self.x


class Stated(Reduced):
    def __reduce__(self):
        return Stated, (0,), {"x": self.x}

    def __setstate__(self, state):
        self.x = state["x"] + 1


class Bag(list):
    pass


class Table(OrderedDict):
    pass


class Word(str):
    def shout(self):
        return self.upper()


class Failure(Exception):
    pass


class Col(Enum):
    RED = 1


class Text(str, Enum):
    A = "a"


class Number(IntEnum):
    ONE = 1


class Bits(Flag):
    A = 1
    B = 2


Pair = namedtuple("Pair", "x y")


class Row(NamedTuple):
    x: int


def double(x):
    return 2 * x
