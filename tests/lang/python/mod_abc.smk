# Abstract methods: no instances of a class that lacks some; register() and __subclasshook__ of abstract classes.
from abc import ABC, ABCMeta, abstractmethod


class Shape(ABC):
    @abstractmethod
    def area(self): ...

    @property
    @abstractmethod
    def name(self): ...

    @classmethod
    @abstractmethod
    def make(cls): ...

    def text(self):
        return "%s %s" % (self.name, self.area())


class Square(Shape):
    name = "square"

    def __init__(self, side=2):
        self.side = side

    def area(self):
        return self.side ** 2

    @classmethod
    def make(cls):
        return cls(1)


class Part(Shape):
    def area(self):
        return 0


print(Square(3).text(), Square.make().area(), isinstance(Square(), Shape), type(Shape) is ABCMeta)
# expect: square 9 1 True True
print(sorted(Shape.__abstractmethods__), sorted(Part.__abstractmethods__), sorted(Square.__abstractmethods__))
# expect: ['area', 'make', 'name'] ['make', 'name'] []
for kind in (Shape, Part):
    try:
        kind()
    except TypeError as error:
        print(error)
        # expect: Can't instantiate abstract class Shape without an implementation for abstract methods 'area', 'make', 'name'
        # expect: Can't instantiate abstract class Part without an implementation for abstract methods 'make', 'name'


class Plain(metaclass=ABCMeta):
    @abstractmethod
    def run(self): ...


try:
    Plain()
except TypeError as error:
    print(error)  # expect: Can't instantiate abstract class Plain without an implementation for abstract method 'run'


class Number(ABC):
    pass


Number.register(int)
print(isinstance(3, Number), issubclass(bool, Number), isinstance("3", Number))  # expect: True True False


class Quacks(ABC):
    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "quack")


class Duck:
    def quack(self): ...


print(isinstance(Duck(), Quacks), isinstance(3, Quacks))  # expect: True False
