# Types with arguments, unions and the forms of typing are the real ones in python3.
import pprint
from typing import Any, Callable, Dict, List, Literal, Optional, Tuple, Union

show = pprint.pformat
print(show(dict[str, list[int]]), show(int | None), show(int | str | list[float]))  # expect: dict[str, list[int]] int | None int | str | list[float]
print(show(List[Literal["a", 1]]), show(Tuple[int, ...]))  # expect: typing.List[typing.Literal['a', 1]] typing.Tuple[int, ...]
print(show(Callable[[int], str]), show(Dict), show(Any))  # expect: typing.Callable[[int], str] typing.Dict typing.Any
print(show(Optional[int]) in ("typing.Optional[int]", "int | None"))  # expect: True
print(show(Union[int, dict[str, Any]]) in ("typing.Union[int, dict[str, typing.Any]]", "int | dict[str, typing.Any]"))  # expect: True
print(show(type(None)))  # expect: <class 'NoneType'>
