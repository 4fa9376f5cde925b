from collections import defaultdict, namedtuple
from dataclasses import (KW_ONLY, FrozenInstanceError, InitVar, asdict, astuple, dataclass, field, fields, make_dataclass,
                         replace)
from typing import ClassVar


def tell(f, *args, **kwargs):
    try:
        print(f(*args, **kwargs))
    except Exception as e:
        print(type(e).__name__, e)


@dataclass
class Own:
    x: int

    def __init__(self, x):
        self.x = 2 * x

    def __repr__(self):
        return "own repr"


print(Own(3).x, Own(1))


@dataclass
class Base:
    count: ClassVar[int] = 7
    a: int
    seed: InitVar[int] = 1
    made: list = field(default_factory=list)
    hidden: int = field(default=5, repr=False, compare=False)
    later: int = field(init=False)

    def __post_init__(self, seed):
        self.later = self.a * seed


print(Base(2), Base(2, 10), [f.name for f in fields(Base)], Base.count, Base(1, made=[1]).made, Base(1).made)
print(Base(2) == Base(2, hidden=6), Base(2) == Base(2, 3), Base(1) != 1)
tell(replace, Base(1), a=5)
tell(replace, Base(1), later=5)
tell(replace, Base(1), seed=4)
tell(Base)
print(asdict(Base(1)), astuple(Base(1)))


@dataclass
class Keyword:
    a: int
    _: KW_ONLY
    b: int
    c: int = field(default=3, kw_only=False)


print(Keyword(1, b=2), Keyword(1, 9, b=2), Keyword.__match_args__)
tell(Keyword, 1)
tell(Keyword, 1, 2, 3)


@dataclass(frozen=True, order=True)
class Frozen:
    x: int
    y: str = "y"


print(hash(Frozen(1)) == hash(Frozen(1)), {Frozen(1): 2}[Frozen(1)], sorted([Frozen(2), Frozen(1, "z"), Frozen(1)]))
try:
    Frozen(1).x = 2
except FrozenInstanceError as e:
    print(e)
try:
    del Frozen(1).x
except AttributeError as e:
    print(e)
print(Frozen(1) < Frozen(2), Frozen(1) >= Frozen(1, "a"))
tell(lambda: Frozen(1) < 1)


class Derived(Frozen):
    pass


d = Derived(1)
d.more = 2
print(d.more, d)
tell(setattr, d, "x", 1)

for text in ("""
@dataclass
class Bad(Frozen): pass
""", """
@dataclass
class Bad:
    x: list = []
""", """
@dataclass
class Bad:
    x: int = 1
    y: int
""", """
@dataclass(order=True, eq=False)
class Bad: pass
""", """
@dataclass(order=True)
class Bad:
    def __lt__(self, other): pass
""", """
@dataclass
class Bad:
    x = field()
""", """
@dataclass
class Bad:
    x: ClassVar[list] = field(default_factory=list)
""", """
@dataclass(unsafe_hash=True)
class Bad:
    def __hash__(self): return 1
"""):
    try:
        exec(text)
        print("fine")
    except Exception as e:
        print(type(e).__name__, str(e).split(":")[0])


@dataclass
class Hashes:
    x: int
    __hash__ = lambda self: 9


@dataclass(unsafe_hash=True)
class Part:
    x: int
    y: int = field(hash=False, default=0)


print(hash(Hashes(1)), hash(Part(1, 2)) == hash(Part(1, 3)), Base.__hash__)


@dataclass
class Node:
    name: str
    next: object = None


n = Node("a")
n.next = Node("b", n)
print(n)
Pair = namedtuple("Pair", "x y")
deep = Node("r", [Node("s"), {"k": Node("t")}, (Node("u"),), Pair(Node("v"), 1), defaultdict(list, a=[Node("w")])])
print(asdict(deep))
print(astuple(deep))
print(asdict(deep)["next"][4].default_factory, asdict(Node("x"), dict_factory=list))
copied = [1, 2]
print(asdict(Node("x", copied))["next"] is copied)
for f in (asdict, astuple, fields):
    tell(f, 1)
tell(replace, Node, name=1)
Made = make_dataclass("Made", ["a", ("b", int), ("c", int, field(default=4))], bases=(Own,), namespace={"twice": lambda s: 2 * s.c})
print(Made(1, 2, 3).c if hasattr(Made, "a") else "", [f.name for f in fields(Made)], Made.__name__)
tell(make_dataclass, "M", ["a", "a"])
tell(make_dataclass, "M", ["1a"])


@dataclass
class Selfish:
    self: int


print(Selfish(1))

# expect: 6 own repr
# expect: Base(a=2, made=[], later=2) Base(a=2, made=[], later=20) ['a', 'made', 'hidden', 'later'] 7 [1] []
# expect: True False True
# expect: Base(a=5, made=[], later=5)
# expect: ValueError field later is declared with init=False, it cannot be specified with replace()
# expect: Base(a=1, made=[], later=4)
# expect: TypeError Base.__init__() missing 1 required positional argument: 'a'
# expect: {'a': 1, 'made': [], 'hidden': 5, 'later': 1} (1, [], 5, 1)
# expect: Keyword(a=1, b=2, c=3) Keyword(a=1, b=2, c=9) ('a', 'c')
# expect: TypeError Keyword.__init__() missing 1 required keyword-only argument: 'b'
# expect: TypeError Keyword.__init__() takes from 2 to 3 positional arguments but 4 were given
# expect: True 2 [Frozen(x=1, y='y'), Frozen(x=1, y='z'), Frozen(x=2, y='y')]
# expect: cannot assign to field 'x'
# expect: cannot delete field 'x'
# expect: True True
# expect: TypeError '<' not supported between instances of 'Frozen' and 'int'
# expect: 2 Derived(x=1, y='y')
# expect: FrozenInstanceError cannot assign to field 'x'
# expect: TypeError cannot inherit non-frozen dataclass from a frozen one
# expect: ValueError mutable default <class 'list'> for field x is not allowed
# expect: TypeError non-default argument 'y' follows default argument
# expect: ValueError eq must be true if order is true
# expect: TypeError Cannot overwrite attribute __lt__ in class Bad. Consider using functools.total_ordering
# expect: TypeError 'x' is a field but has no type annotation
# expect: TypeError field x cannot have a default factory
# expect: TypeError Cannot overwrite attribute __hash__ in class Bad
# expect: 9 True None
# expect: Node(name='a', next=Node(name='b', next=...))
# expect: {'name': 'r', 'next': [{'name': 's', 'next': None}, {'k': {'name': 't', 'next': None}}, ({'name': 'u', 'next': None},), Pair(x={'name': 'v', 'next': None}, y=1), defaultdict(<class 'list'>, {'a': [{'name': 'w', 'next': None}]})]}
# expect: ('r', [('s', None), {'k': ('t', None)}, (('u', None),), Pair(x=('v', None), y=1), defaultdict(<class 'list'>, {'a': [('w', None)]})])
# expect: <class 'list'> [('name', 'x'), ('next', None)]
# expect: False
# expect: TypeError asdict() should be called on dataclass instances
# expect: TypeError astuple() should be called on dataclass instances
# expect: TypeError must be called with a dataclass type or instance
# expect: TypeError replace() should be called on dataclass instances
# expect:  ['x', 'a', 'b', 'c'] Made
# expect: TypeError Field name duplicated: 'a'
# expect: TypeError Field names must be valid identifiers: '1a'
# expect: Selfish(self=1)
