# `x op= y` changes a container in place, for everybody who has it.
from collections import OrderedDict, defaultdict, deque


def kept(x, change):
    alias = x
    x = change(x)
    return x is alias, x


def times(x): x *= 2; return x
def none(x): x *= 0; return x
def plus(x): x += "ab"; return x
def plus_bytes(x): x += b"ab"; return x
def either(x): x |= {"b", "c"}; return x
def both(x): x &= {"b", "c"}; return x
def without(x): x -= {"b", "c"}; return x
def one(x): x ^= {"b", "c"}; return x
def merged(x): x |= {"k": 1}; return x
def pairs(x): x |= [("k", 2)]; return x


for x in [1, 2], deque([1, 2]), bytearray(b"12"), (1, 2), "12", b"12":
    print(*kept(x, times), *kept(x[:] if not isinstance(x, deque) else x, none))
for x in [1], deque([1]), "1", (1,):
    try:
        print(*kept(x, plus))
    except TypeError as e:
        print(e)
print(*kept(bytearray(b"1"), plus_bytes), *kept(b"1", plus_bytes))
for change in either, both, without, one:
    for x in {"a", "b"}, frozenset("ab"):
        same, y = kept(x, change)
        print(same, type(y).__name__, sorted(y))
for change in merged, pairs:
    for x in {"a": 0}, OrderedDict(a=0), defaultdict(int, a=0):
        same, y = kept(x, change)
        print(same, type(y).__name__, sorted(y.items()))
for x, y in ({1}, 1), ([1], 1), ({}, 1), ((1,), "a"), ([1], "a"), ([1], 1.5):
    for op in "|=", "+=", "*=":
        try:
            exec(f"x {op} y")
            print(x)
        except TypeError as e:
            print(e)


class Three:
    def __index__(self):
        return 3


class Times(Three):
    def __rmul__(self, other):
        return "mine"


for x in [1], (1,), "a", b"a", bytearray(b"a"):
    print(x * Three(), Three() * x, x * Times(), end=" ")
    x *= Three()
    print(x, [hasattr(x, name) for name in ("__iadd__", "__imul__", "__isub__")])


class Mine(list):
    pass


m = n = Mine([1])
m *= 2
m += [3]
print(n is m, n, [].__iadd__([1]), {}.__ior__({1: 2}), {1, 2}.__isub__({1}), {1}.__ior__([2]))
try:
    class Bad:
        __classcell__ = 1
except TypeError as e:
    print(e)
# expect: True [1, 2, 1, 2] True []
# expect: True deque([]) True deque([])
# expect: True bytearray(b'1212') True bytearray(b'')
# expect: False (1, 2, 1, 2) False ()
# expect: False 1212 False 
# expect: False b'1212' False b''
# expect: True [1, 'a', 'b']
# expect: True deque([1, 'a', 'b'])
# expect: False 1ab
# expect: can only concatenate tuple (not "str") to tuple
# expect: True bytearray(b'1ab') False b'1ab'
# expect: True set ['a', 'b', 'c']
# expect: False frozenset ['a', 'b', 'c']
# expect: True set ['b']
# expect: False frozenset ['b']
# expect: True set ['a']
# expect: False frozenset ['a']
# expect: True set ['a', 'c']
# expect: False frozenset ['a', 'c']
# expect: True dict [('a', 0), ('k', 1)]
# expect: True OrderedDict [('a', 0), ('k', 1)]
# expect: True defaultdict [('a', 0), ('k', 1)]
# expect: True dict [('a', 0), ('k', 2)]
# expect: True OrderedDict [('a', 0), ('k', 2)]
# expect: True defaultdict [('a', 0), ('k', 2)]
# expect: unsupported operand type(s) for |=: 'set' and 'int'
# expect: unsupported operand type(s) for +=: 'set' and 'int'
# expect: unsupported operand type(s) for *=: 'set' and 'int'
# expect: unsupported operand type(s) for |=: 'list' and 'int'
# expect: 'int' object is not iterable
# expect: [1]
# expect: 'int' object is not iterable
# expect: unsupported operand type(s) for +=: 'dict' and 'int'
# expect: unsupported operand type(s) for *=: 'dict' and 'int'
# expect: unsupported operand type(s) for |=: 'tuple' and 'str'
# expect: can only concatenate tuple (not "str") to tuple
# expect: can't multiply sequence by non-int of type 'str'
# expect: unsupported operand type(s) for |=: 'list' and 'str'
# expect: [1, 'a']
# expect: can't multiply sequence by non-int of type 'str'
# expect: unsupported operand type(s) for |=: 'list' and 'float'
# expect: 'float' object is not iterable
# expect: can't multiply sequence by non-int of type 'float'
# expect: [1, 1, 1] [1, 1, 1] mine [1, 1, 1] [True, True, False]
# expect: (1, 1, 1) (1, 1, 1) mine (1, 1, 1) [False, False, False]
# expect: aaa aaa mine aaa [False, False, False]
# expect: b'aaa' b'aaa' mine b'aaa' [False, False, False]
# expect: bytearray(b'aaa') bytearray(b'aaa') mine bytearray(b'aaa') [True, True, False]
# expect: True [1, 1, 3] [1] {1: 2} {2} NotImplemented
# expect: __classcell__ must be a nonlocal cell, not <class 'int'>
