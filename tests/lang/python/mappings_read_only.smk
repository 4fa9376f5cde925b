# What can only be read: __dict__ of a class, and types.MappingProxyType of any mapping.
from collections import abc
from types import MappingProxyType, ModuleType


class Plain:
    x = 1


limits = MappingProxyType({"a": 1})
print(repr(limits), str(limits), limits["a"], len(limits), "a" in limits, limits.get("b", 2))  # expect: mappingproxy({'a': 1}) {'a': 1} 1 1 True 2
print(list(limits.items()), dict(limits), {**limits}, limits == {"a": 1}, limits | {"b": 2})  # expect: [('a', 1)] {'a': 1} {'a': 1} True {'a': 1, 'b': 2}
print(isinstance(limits, dict), isinstance(limits, abc.Mapping), isinstance(limits, abc.MutableMapping))  # expect: False True False
print(type(Plain.__dict__) is MappingProxyType, Plain.__dict__["x"], "y" in Plain.__dict__)  # expect: True 1 False


def change(target):
    target["b"] = 1


def grow(target):
    target |= {"b": 1}


for do, target in ((change, limits), (grow, limits), (change, Plain.__dict__), (MappingProxyType, [1])):
    try:
        do(target)
    except TypeError as e:
        print(e)
    # expect: 'mappingproxy' object does not support item assignment
    # expect: '|=' is not supported by mappingproxy; use '|' instead
    # expect: 'mappingproxy' object does not support item assignment
    # expect: mappingproxy() argument must be a mapping, not list
print(limits)  # expect: {'a': 1}

import enum
import re


class Colour(enum.Enum):
    RED = 1


views = [limits.keys().mapping, re.compile("(?P<a>x)(y)").groupindex, Colour.__members__]
print(views)  # expect: [mappingproxy({'a': 1}), mappingproxy({'a': 1}), mappingproxy({'RED': <Colour.RED: 1>})]
print([type(view).__name__ for view in views], views[1]["a"])  # expect: ['mappingproxy', 'mappingproxy', 'mappingproxy'] 1

made = ModuleType("made", "its text")
made.x = 5
print(made, made.__name__, made.__doc__, made.x)  # expect: <module 'made'> made its text 5
