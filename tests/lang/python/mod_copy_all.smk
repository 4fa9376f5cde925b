# Shallow and deep copies of what programs hold.
import copy
import re
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

a = {"x": [1, 2, {"y": (3, [4])}], "s": {1, 2}, "t": (1, 2)}
b = copy.copy(a)
c = copy.deepcopy(a)
a["x"].append(9)
a["x"][2]["y"][1].append(5)
a["s"].add(3)
print(b)  # expect: {'x': [1, 2, {'y': (3, [4, 5])}, 9], 's': {1, 2, 3}, 't': (1, 2)}
print(c)  # expect: {'x': [1, 2, {'y': (3, [4])}], 's': {1, 2}, 't': (1, 2)}
print(c["t"] is a["t"], copy.copy(a["t"]) is a["t"])  # expect: True True

# A shared part stays shared, a cycle stays a cycle.
part = [1]
both = copy.deepcopy([part, part])
print(both[0] is both[1], both[0] is part)  # expect: True False
loop = [1]
loop.append(loop)
again = copy.deepcopy(loop)
print(again[1] is again, again is loop)  # expect: True False
cycle = ([],)
cycle[0].append(cycle)
again = copy.deepcopy(cycle)
print(again[0][0] is again, again is cycle)  # expect: True False

# What cannot change is its own copy.
p = re.compile("a+")
for thing in (None, True, 1, 1.5, "text", b"bytes", len, print, int, p, range(3), ...):
    assert copy.copy(thing) is thing and copy.deepcopy(thing) is thing, thing


class Point:
    made = 0

    def __init__(self, x, y):
        Point.made += 1
        self.x, self.y = x, y


one = Point([1], {"k": 2})
two = copy.copy(one)
three = copy.deepcopy(one)
one.x.append(2)
print(type(two).__name__, two.x, three.x, three.y, Point.made)  # expect: Point [1, 2] [1] {'k': 2} 1


class Stack(list):
    pass


class Config(dict):
    pass


s = Stack([1, [2]])
s.label = ["top"]
t = copy.deepcopy(s)
s[1].append(3)
s.label.append("more")
print(type(t).__name__, t, t.label)  # expect: Stack [1, [2]] ['top']
u = copy.copy(s)
print(u, u.label, u is s)  # expect: [1, [2, 3]] ['top', 'more'] False
k = Config(a=[1])
k.note = "n"
m = copy.deepcopy(k)
k["a"].append(2)
print(type(m).__name__, m, m.note)  # expect: Config {'a': [1]} n


class Own:
    def __init__(self, n):
        self.n = n

    def __copy__(self):
        return Own(self.n + 1)

    def __deepcopy__(self, memo):
        return Own(copy.deepcopy([self.n], memo)[0] + 10)


print(copy.copy(Own(1)).n, copy.deepcopy([Own(1)])[0].n)  # expect: 2 11


class State:
    def __init__(self):
        self.a, self.b = 1, [2]

    def __getstate__(self):
        return {"a": self.a}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.b = "set anew"


print(copy.copy(State()).b, copy.deepcopy(State()).b)  # expect: set anew set anew


class Reduced:
    def __init__(self, n):
        self.n = n

    def __reduce__(self):
        return (Reduced, (self.n * 2,))


print(copy.copy(Reduced(3)).n)  # expect: 6


class Slots:
    __slots__ = ("a", "b")


slots = Slots()
slots.a = [1]
other = copy.deepcopy(slots)
slots.a.append(2)
print(other.a, hasattr(other, "b"))  # expect: [1] False

d = defaultdict(list, {"a": [1]})
e = copy.deepcopy(d)
d["a"].append(2)
e["b"].append(3)
print(e)  # expect: defaultdict(<class 'list'>, {'a': [1], 'b': [3]})
print(copy.copy(d))  # expect: defaultdict(<class 'list'>, {'a': [1, 2]})
print(copy.deepcopy(OrderedDict(a=[1])))  # expect: OrderedDict({'a': [1]})
print(copy.deepcopy(Counter("aab")))  # expect: Counter({'a': 2, 'b': 1})
print(copy.copy(deque([1, 2], maxlen=3)), copy.deepcopy(deque([[1]])))  # expect: deque([1, 2], maxlen=3) deque([[1]])
Pair = namedtuple("Pair", "left right")
pair = Pair([1], 2)
print(copy.copy(pair), copy.deepcopy(pair), copy.deepcopy(pair).left is pair.left)  # expect: Pair(left=[1], right=2) Pair(left=[1], right=2) False
print(copy.deepcopy({frozenset({1})}))  # expect: {frozenset({1})}

fault = copy.copy(ValueError("bad", 3))
print(repr(fault), copy.deepcopy(KeyError("k")).args)  # expect: ValueError('bad', 3) ('k',)
bound = copy.deepcopy(Point([1], 2).__init__)
print(callable(bound))  # expect: True
memo = {}
first = copy.deepcopy(part, memo)
print(copy.deepcopy(part, memo) is first)  # expect: True
for thing in ((x for x in "ab"), copy):
    try:
        copy.copy(thing)
    except TypeError as e:
        print(e)
# expect: cannot pickle 'generator' object
# expect: cannot pickle 'module' object
print(issubclass(copy.Error, Exception), copy.error is copy.Error)  # expect: True True


import itertools  # noqa
try:  # CPython copies them; an empty copy would be worse than an error
    print(len(list(copy.copy(itertools.chain("ab")))))
except TypeError:
    print(2)
# expect: 2
