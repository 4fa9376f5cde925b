# From either end, each step is short, however much has gone.
from collections import OrderedDict
n = 200000
def first():
    d = dict.fromkeys(range(n))
    while d:
        yield d.popitem()[0]
def queue():
    d = OrderedDict.fromkeys(range(n))
    while d:
        yield d.popitem(last=False)[0]
def some():
    s = set(range(n))
    while s:
        yield s.pop()
print(list(first()) == list(range(n))[::-1], list(queue()) == list(range(n)), sorted(some()) == list(range(n)))
# Holes in the middle, walked through from both sides, then filled anew.
d = dict.fromkeys(range(100))
for i in list(range(10, 40)) + list(range(60, 90)):
    del d[i]
print(len(list(d)), list(d)[9:12], list(reversed(d))[9:12])
del d[40], d[59], d[0], d[99]
print(list(d)[8:11], list(reversed(d))[8:11], next(iter(d)), d.popitem())
for i in range(30):
    d[i] = i
print(len(d), list(d)[-3:], list(d) == list(reversed(d))[::-1], all(i in d for i in range(30)), 99 in d)
while d:
    d.popitem()
    if d:
        d.pop(next(iter(d)))
print(d)
# expect: True True True
# expect: 40 [9, 40, 41] [90, 59, 58]
# expect: [9, 41, 42] [90, 58, 57] 1 (98, None)
# expect: 56 [27, 28, 29] True True False
# expect: {}
