# typing: names of types, named tuples, hints.
from typing import *
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
t(lambda: Optional[int]); t(lambda: Union[int, str]); t(lambda: List[int]); t(lambda: Dict[str, List[int]]); t(lambda: Callable[[int], str]); t(lambda: Tuple[int, ...]); t(lambda: Literal["a", 1]); t(lambda: Any); t(lambda: Optional); t(lambda: List)
t(lambda: Union[int, None]); t(lambda: Union[int, int]); t(lambda: Optional[Optional[int]])
t(lambda: List[int]()); t(lambda: isinstance([], List)); t(lambda: isinstance({}, Mapping))
t(lambda: get_origin(List[int])); t(lambda: get_args(Dict[str, int])); t(lambda: get_origin(Optional[int]) is Union); t(lambda: get_args(Optional[int]))
T = TypeVar("T"); print(T)
class P(NamedTuple):
    x: int
    y: str = "d"
    def both(self): return (self.x, self.y)
print(P(1), P(1, "z").both(), P._fields, P._field_defaults, P(2)._replace(x=3), isinstance(P(1), tuple))
Q = NamedTuple("Q", [("a", int), ("b", int)]); print(Q(1, 2))
class D(TypedDict, total=False):
    k: int
print(D(k=1), D({"k": 2}))
class G(Generic[T]):
    def __init__(self, v: T): self.v = v
print(G[int](3).v, G(4).v)
class Pr(Protocol):
    def f(self) -> int: ...
class Impl(Pr):
    def f(self): return 1
print(Impl().f())
class L2(List[int]): pass
print(L2([1]), isinstance(L2(), list))
UserId = NewType("UserId", int); print(UserId(3), cast(str, 5), TYPE_CHECKING)
def f(a: "List[int]", b: Optional[str] = None) -> None: pass
t(lambda: get_type_hints(f))
@overload
def g(x: int) -> int: ...
def g(x): return x
print(g(1))
t(lambda: isinstance(1, Union[int, str])); t(lambda: List[int] | None)
t(lambda: isinstance(1, int | str))
# expect: typing.Optional[int]
# expect: typing.Union[int, str]
# expect: typing.List[int]
# expect: typing.Dict[str, typing.List[int]]
# expect: typing.Callable[[int], str]
# expect: typing.Tuple[int, ...]
# expect: typing.Literal['a', 1]
# expect: typing.Any
# expect: typing.Optional
# expect: typing.List
# expect: typing.Optional[int]
# expect: <class 'int'>
# expect: typing.Optional[int]
# expect: TypeError Type List cannot be instantiated; use list() instead
# expect: True
# expect: True
# expect: <class 'list'>
# expect: (<class 'str'>, <class 'int'>)
# expect: True
# expect: (<class 'int'>, <class 'NoneType'>)
# expect: ~T
# expect: P(x=1, y='d') (1, 'z') ('x', 'y') {'y': 'd'} P(x=3, y='d') True
# expect: Q(a=1, b=2)
# expect: {'k': 1} {'k': 2}
# expect: 3 4
# expect: 1
# expect: [1] True
# expect: 3 5 False
# expect: {'a': typing.List[int], 'b': typing.Optional[str], 'return': <class 'NoneType'>}
# expect: 1
# expect: True
# expect: typing.Optional[typing.List[int]]
# expect: True
