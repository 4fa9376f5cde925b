# __slots__: instances have these names and no others, where no base allows more.
import copy
from collections import namedtuple
from dataclasses import dataclass, field


class Point:
    __slots__ = ("x", "y", "__hidden")
    kind = "point"

    def __init__(self, x, y):
        self.x, self.y, self.__hidden = x, y, 3

    def hidden(self):
        return self.__hidden


class Point3(Point):
    __slots__ = "z"


class Loose(Point):
    pass


class Own(Point):
    __slots__ = ["__dict__"]


p = Point(1, 2)
p.x += 5
print(p.x, p.y, p.hidden(), hasattr(p, "__dict__"), hasattr(p, "x"), Point.__slots__)
# expect: 6 2 3 False True ('x', 'y', '__hidden')
for name in ("z", "kind", "hidden"):
    try:
        setattr(p, name, 1)
    except AttributeError as error:
        print(error)
        # expect: 'Point' object has no attribute 'z'
        # expect: 'Point' object attribute 'kind' is read-only
        # expect: 'Point' object attribute 'hidden' is read-only
del p.y
print(hasattr(p, "y"))  # expect: False
try:
    p.y
except AttributeError as error:
    print(error)  # expect: 'Point' object has no attribute 'y'
q = Point3(1, 2)
q.z = 4
print(q.x, q.z, hasattr(q, "__dict__"))  # expect: 1 4 False
try:
    q.w = 1
except AttributeError as error:
    print(error)  # expect: 'Point3' object has no attribute 'w'
free, own = Loose(1, 2), Own(1, 2)
free.any = own.any = 1
print(free.any, own.any, "any" in vars(free), "any" in own.__dict__)  # expect: 1 1 True True
for wrong in (lambda: type("A", (), {"__slots__": ("a",), "a": 1}),
              lambda: type("A", (), {"__slots__": (1,)}), lambda: vars(p)):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
        # expect: ValueError 'a' in __slots__ conflicts with class variable
        # expect: TypeError __slots__ items must be strings, not 'int'
        # expect: TypeError vars() argument must have __dict__ attribute


class Pair(namedtuple("Pair", "a b")):
    __slots__ = ()

    def total(self):
        return self.a + self.b


print(Pair(1, 2).total())  # expect: 3
try:
    Pair(1, 2).c = 1
except AttributeError as error:
    print(error)  # expect: 'Pair' object has no attribute 'c'


@dataclass(slots=True)
class Sample:
    name: str
    lanes: int = 1
    files: list = field(default_factory=list)

    def first(self):
        return self.name[:1]


@dataclass(slots=True, frozen=True)
class Deep(Sample if False else object):
    depth: int = 3


@dataclass(slots=True)
class Tumor(Sample):
    purity: float = 0.5


s = Sample("ab")
s.lanes = 2
print(s, s == Sample("ab", 2), Sample.__slots__, Tumor.__slots__, Tumor("t", purity=1), s.first())
# expect: Sample(name='ab', lanes=2, files=[]) True ('name', 'lanes', 'files') ('purity',) Tumor(name='t', lanes=1, files=[], purity=1) a
print(hasattr(s, "__dict__"))  # expect: False
for wrong in (lambda: setattr(s, "lane", 1), lambda: setattr(Deep(), "depth", 1), lambda: setattr(Tumor("a"), "x", 1)):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
        # expect: AttributeError 'Sample' object has no attribute 'lane'
        # expect: FrozenInstanceError cannot assign to field 'depth'
        # expect: AttributeError 'Tumor' object has no attribute 'x'
print(Deep().depth, {Deep(): 1}[Deep(3)], Sample.__qualname__)  # expect: 3 1 Sample
twin, deep = copy.copy(q), copy.deepcopy(Tumor("t", 2, [[1]]))
print(twin.x, twin.z, twin.hidden(), deep, copy.copy(Deep(4)))
# expect: 1 4 3 Tumor(name='t', lanes=2, files=[[1]], purity=0.5) Deep(depth=4)
