# Rarer parts of the protocol between objects and their classes.
class Delete:
    def __get__(self, obj, owner):
        return "got"

    def __delete__(self, obj):
        print("deleted")


class Set:
    def __set__(self, obj, item):
        print("set", item)


class Holder:
    a, b = Delete(), Set()


holder = Holder()
del holder.a  # expect: deleted
holder.b = 1  # expect: set 1
for change in ("del holder.b", "holder.a = 1"):
    try:
        exec(change)
    except AttributeError as e:
        print(e)
    # expect: __delete__
    # expect: __set__


class Cat:
    def says(self):
        return "meow"


class Dog:
    def says(self):
        return "woof"


pet = Cat()
pet.name = "Tom"
pet.__class__ = Dog
print(pet.says(), pet.name, isinstance(pet, Dog), isinstance(pet, Cat))  # expect: woof Tom True False
for wrong in (int, 3):
    try:
        pet.__class__ = wrong
    except TypeError as e:
        print(e)
    # expect: __class__ assignment only supported for mutable types or ModuleType subclasses
    # expect: __class__ must be set to a class, not 'int' object


class Wrong(Exception):
    pass


class Worse(Exception):
    pass


error = Wrong("text")
error.__class__ = Worse
print(repr(error))  # expect: Worse('text')
try:
    error.__class__ = Dog
except TypeError as e:
    print(e)  # expect: __class__ assignment: 'Dog' object layout differs from 'Worse'


class Asks:
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)

    def __getattr__(self, name):
        return "made " + name


asks = Asks()
asks.x = 1
print(asks.__dict__, asks.__class__ is Asks, asks.y)  # expect: {'x': 1} True made y


class Power:
    def __pow__(self, by, modulo=None):
        return by, modulo

    def __float__(self):
        return 1


print(Power() ** 2, pow(Power(), 2, 3))  # expect: (2, None) (2, 3)
import math

for ask in (lambda: float(Power()), lambda: math.sqrt(Power()), lambda: super(Cat, 5), lambda: super(5, Cat)):
    try:
        ask()
    except TypeError as e:
        print(e)
    # expect: Power.__float__ returned non-float (type int)
    # expect: Power.__float__ returned non-float (type int)
    # expect: super(type, obj): obj must be an instance or subtype of type
    # expect: super() argument 1 must be a type, not int
print(type("Made", (), {}), type("Made", (), {}).__module__)  # expect: <class '__main__.Made'> __main__
for bases in ((Cat, Cat), (object, Cat)):
    try:
        type("Wrong", bases, {})
    except TypeError as e:
        print(str(e).replace("\n", " "))
    # expect: duplicate base class Cat
    # expect: Cannot create a consistent method resolution order (MRO) for bases object, Cat
try:
    match 5:
        case int(a, b):
            pass
except TypeError as e:
    print(e)  # expect: int() accepts 1 positional sub-pattern (2 given)
print(complex(0, -0.0), complex(1j, 2), complex(1, 2j))  # expect: -0j 3j (-1+0j)
for ask in (lambda: sum([b"a"], b""), lambda: float.fromhex("0x1p5000")):
    try:
        ask()
    except (TypeError, OverflowError) as e:
        print(e)
    # expect: sum() can't sum bytes [use b''.join(seq) instead]
    # expect: hexadecimal value too large to represent as a float
