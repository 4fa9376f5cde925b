# Names of typing and abc that helper modules import, and the docstring of an object whose class has none.
from abc import ABC, abstractclassmethod, abstractstaticmethod
from typing import AnyStr, ContextManager, Optional, TypedDict, assert_never, is_typeddict


def joined(*parts: AnyStr) -> ContextManager[Optional[str]]:
    return "/".join(parts)


class Row(TypedDict, total=False):
    sample: str


print(joined("a", "b"), AnyStr, ContextManager[str])  # expect: a/b ~AnyStr typing.ContextManager[str]
print(Row.__total__, is_typeddict(Row), is_typeddict(dict), Row(sample="A"))  # expect: False True False {'sample': 'A'}
try:
    assert_never(3)
except AssertionError as error:
    print(error)  # expect: Expected code to be unreachable, but got: 3


class Reader(ABC):
    @abstractclassmethod
    def make(cls): ...

    @abstractstaticmethod
    def kind(): ...


class Fasta(Reader):
    @classmethod
    def make(cls):
        return cls()

    @staticmethod
    def kind():
        return "fasta"


print(Fasta.make().kind(), Fasta().__doc__, Fasta.__doc__)  # expect: fasta None None
try:
    Reader()
except TypeError as error:
    print("kind" in str(error), "make" in str(error))  # expect: True True
