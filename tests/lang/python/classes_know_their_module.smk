# Classes that a call makes belong to the module of that call.
import collections, dataclasses, enum, os, sys, typing

with open("made.py", "w") as f:
    f.write("""
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
""")
sys.path.insert(0, os.getcwd())
import made

print([getattr(made, name).__module__ for name in ("E", "M", "N", "T", "D", "TD", "NT", "TV", "B")], made.M.__qualname__)
def inner():
    return enum.Enum("W", "A"), collections.namedtuple("Z", "a"), typing.NamedTuple("P", [("x", int)]), dataclasses.make_dataclass("D", ["a"])
print([kind.__module__ for kind in (*inner(), made.make("X"), made.Base("Q", "A"))])
print(sys._getframemodulename(), sys._getframemodulename(100), (lambda: sys._getframemodulename(depth=1))())
print(enum.Flag("X", "A B", boundary=enum.KEEP)(8))
try:
    enum.Enum("X")
except TypeError as e:
    print(e)

# expect: ['made', 'mm', 'made', 'made', 'made', 'made', 'made', 'made', 'made'] q.M
# expect: ['__main__', '__main__', '__main__', '__main__', 'made', '__main__']
# expect: __main__ None __main__
# expect: X(8)
# expect: <enum 'Enum'> has no members; specify `names=()` if you meant to create a new, empty, enum
