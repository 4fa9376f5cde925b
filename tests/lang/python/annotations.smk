# Annotations are what they say; a name that comes later, or that nobody has, stays text.
import dataclasses
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, get_type_hints


def f(a: int, b: Optional[str] = None, *c: Path, d: "bytes" = 1, **e: Dict[str, int]) -> List[str]:
    return []


print(f.__annotations__["a"], f.__annotations__["b"], f.__annotations__["return"], f.__annotations__["d"])
# expect: <class 'int'> typing.Optional[str] typing.List[str] bytes
print(f.__annotations__["c"] is Path, f.__annotations__["e"], list(f.__annotations__))
# expect: True typing.Dict[str, int] ['a', 'b', 'c', 'd', 'e', 'return']


def outer(kind):
    def inner(x: kind, y: list[kind] = ()) -> "kind":
        return x

    return inner


print(outer(float).__annotations__)  # expect: {'x': <class 'float'>, 'y': list[float], 'return': 'kind'}


class Made:
    Inner = int
    x: Inner = 3
    y: "Made"

    def method(self, other: Inner) -> None: ...


print(Made.__annotations__, Made.method.__annotations__)
# expect: {'x': <class 'int'>, 'y': 'Made'} {'other': <class 'int'>, 'return': None}


@dataclass
class Sample:
    name: str
    lanes: List[int] = field(default_factory=list)
    path: Path = Path("x")
    constant: dataclasses.InitVar[int] = 3


print([(f.name, f.type) for f in fields(Sample)][:2], [f.type is Path for f in fields(Sample)])
# expect: [('name', <class 'str'>), ('lanes', typing.List[int])] [False, False, True]
for one in fields(Sample):
    if one.type is str:
        print("text", one.name)  # expect: text name


class Row(NamedTuple):
    a: int
    b: str = "x"


print(Row.__annotations__, Row(1), get_type_hints(f)["d"])
# expect: {'a': <class 'int'>, 'b': <class 'str'>} Row(a=1, b='x') <class 'bytes'>


def convert(function, *args):
    kinds = function.__annotations__.values()
    return [kind(arg) for kind, arg in zip(kinds, args)]


def job(threads: int, share: float, name: str): ...


print(convert(job, "3", "0.5", 7))  # expect: [3, 0.5, '7']
try:
    raise ValueError("kept")
except ValueError as error:
    def late(x: int) -> str: ...
    print(error, late.__annotations__)  # expect: kept {'x': <class 'int'>, 'return': <class 'str'>}
lam: int = 5
print(lam)  # expect: 5
