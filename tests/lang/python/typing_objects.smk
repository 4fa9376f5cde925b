import typing
print(list[int], dict[str, int], int | None, str | int, tuple[int, ...], list[list[str]])
print(isinstance(3, int | str), isinstance(None, int | None), list[int]([1, 2]), (int | None) == (None | int), type(int | str).__name__)
print(list[int].__origin__, list[int].__args__, (int | str).__args__, list[int] == list[int], typing.get_origin(dict[str, int]), typing.get_args(dict[str, int]))
def f(x: list[int], y: int | None = None) -> dict[str, list[int]]: return x
print(typing.get_type_hints(f), isinstance([], list))
try: isinstance([], list[int])
except TypeError as e: print(e)
print(hash(list[int]) == hash(list[int]), {list[int]: 1}[list[int]], int | str | None, int | int, type(list[int]).__name__, set[str], type[int], frozenset[int])
class A: pass
print((A | None).__args__[1], issubclass(int, int | str))
from collections.abc import Callable, Iterable
print(list[A].__args__[0] is A, isinstance(3, typing.Union[int, str]), typing.Optional[int])

# expect: list[int] dict[str, int] int | None str | int tuple[int, ...] list[list[str]]
# expect: True True [1, 2] True UnionType
# expect: <class 'list'> (<class 'int'>,) (<class 'int'>, <class 'str'>) True <class 'dict'> (<class 'str'>, <class 'int'>)
# expect: {'x': list[int], 'y': int | None, 'return': dict[str, list[int]]} True
# expect: isinstance() argument 2 cannot be a parameterized generic
# expect: True 1 int | str | None <class 'int'> GenericAlias set[str] type[int] frozenset[int]
# expect: <class 'NoneType'> True
# expect: True True typing.Optional[int]
