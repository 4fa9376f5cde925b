# runtime_checkable protocols, and functions that are chosen by the class of their first argument.
import functools
from abc import abstractmethod
from collections.abc import Mapping
from typing import Protocol, runtime_checkable


@runtime_checkable
class Runs(Protocol):
    threads: int

    def run(self) -> int: ...


class Plain(Protocol):
    @abstractmethod
    def run(self): ...


class Tool:
    threads = 2

    def run(self):
        return 3


class Derived(Plain):
    def run(self):
        return 4


class Half:
    def run(self):
        return 5


print(isinstance(Tool(), Runs), isinstance(Half(), Runs), isinstance(3, Runs), Derived().run())
# expect: True False False 4
try:
    Plain()
except TypeError as error:
    print(type(error).__name__)  # expect: TypeError


@functools.singledispatch
def show(x):
    return "any"


@show.register
def _(x: int | float):
    return "number"


@show.register
def _(x: "list"):
    return "list"


@show.register(str)
def _(x):
    return "text"


@show.register
def _(x: Mapping):
    return "mapping"


print(show(1), show(True), show(2.5), show([]), show("s"), show({}))  # expect: number number number list text mapping
print(show(None), show.dispatch(float) is show.dispatch(int))  # expect: any True


# among other classes they are asked, too
@runtime_checkable
class Runner(Protocol):
    def run(self): ...


print(isinstance(Half(), (int, Runner)), isinstance(Half(), int | Runner), isinstance(3, str | Runner))
# expect: True True False
print(issubclass(Half, (str, (int, Runner))), issubclass(Half, int | Runner), issubclass(int, (str, Runner)))
# expect: True True False
