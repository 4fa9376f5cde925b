
import collections, dataclasses, enum, typing
E = enum.Enum("E", "A B")
M = enum.Enum("M", "A", module="mm", qualname="q.M", type=int)
N = collections.namedtuple("N", "a b")
T = typing.NamedTuple("T", [("a", int)])
D = dataclasses.make_dataclass("D", ["a"])
TD = typing.TypedDict("TD", {"a": int})
NT = typing.NewType("NT", int)
TV = typing.TypeVar("TV")
class Base(enum.Enum):
    pass
B = Base("B", "A")
def make(name):
    return enum.Enum(name, "A B")
