# __setattr__ and __delattr__ come before properties; object's own go through them. A property of a
# class comes before what a native base tells.
import collections


class Descriptor:
    def __get__(self, owner, kind=None):
        return 42

    def __set__(self, owner, value):
        print("descriptor takes", value)

    def __delete__(self, owner):
        print("descriptor deletes")


class Box:
    held = Descriptor()

    def __setattr__(self, name, value):
        print("set", name)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        print("delete", name)
        object.__delattr__(self, name)

    @property
    def lid(self):
        return self._lid

    @lid.setter
    def lid(self, value):
        self._lid = value

    @lid.deleter
    def lid(self):
        print("gone")


b = Box()
b.lid = 3
# expect: set lid
# expect: set _lid
b.held = 4
# expect: set held
# expect: descriptor takes 4
print(b.lid, b.held, b.__dict__)  # expect: 3 42 {'_lid': 3}
del b.lid, b.held
# expect: delete lid
# expect: gone
# expect: delete held
# expect: descriptor deletes
object.__setattr__(b, "lid", 5)  # expect: set _lid
print(b.__dict__)  # expect: {'_lid': 5}


class Kind(type):
    @property
    def rank(cls):
        return "high"

    @rank.setter
    def rank(cls, value):
        print("rank", value)

    def __setattr__(cls, name, value):
        print("class set", name)
        super().__setattr__(name, value)


class Ranked(metaclass=Kind):
    pass


Ranked.rank = 5
# expect: class set rank
# expect: rank 5
Ranked.plain = 1  # expect: class set plain
print(Ranked.rank, Ranked.plain)  # expect: high 1


class Lists(collections.defaultdict):
    @property
    def default_factory(self):
        return "mine"


class Fixed:
    @property
    def size(self):
        return 1


print(Lists(list).default_factory)  # expect: mine
for act in [lambda: setattr(Fixed(), "size", 2), lambda: object.__setattr__(Fixed(), "size", 2)]:
    try:
        act()
    except AttributeError as error:
        print(error)
# expect: property 'size' of 'Fixed' object has no setter
# expect: property 'size' of 'Fixed' object has no setter
