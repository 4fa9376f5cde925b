# Sets of numbers show their items in CPython's order: where they stand in its table.
def show(s):
    print(*s)


show({3, 1, 2})  # expect: 1 2 3
show(set([40, 8, 16, 0, 3]))  # expect: 0 3 40 8 16
show(set(range(20, 0, -3)))  # expect: 2 5 8 11 14 17 20
show({-1, -2, -3, 5})  # expect: -3 5 -1 -2
show({0.5, 2.5, 100.0, 3})  # expect: 0.5 2.5 3 100.0
show({(1, 2), (2, 1), (0,), ()})  # expect: (0,) (1, 2) (2, 1) ()
show({frozenset([1]), frozenset([2]), frozenset()})  # expect: frozenset() frozenset({2}) frozenset({1})
show(set([10**20, 2**61, 1j, range(3)]))  # expect: range(0, 3) 2305843009213693952 1j 100000000000000000000

# A display of constants is filled in another way than one by one.
show({33, 1, 65, 2, 97})  # expect: 65 2 97 1 33
n = 33
show({n, 1, 65, 2, 97})  # expect: 65 33 2 1 97
show({2**62, -305, 10**30, 3 * 5 - 1})  # expect: 4611686018427387904 -305 14 1000000000000000000000000000000
show([x for x in {8, 0, 16, 24}])  # expect: 8 0 16 24

# What came and went leaves its traces.
s = set()
for i in (1, 9, 17, 2):
    s.add(i)
s.remove(9)
s.add(25)
show(s)  # expect: 1 2 25 17
print(s.pop(), s.pop())  # expect: 1 2
s.add(1)
print(s.pop(), s)  # expect: 25 {1, 17}

a, b = set(range(0, 64, 8)), {64, 8, 3, 1000}
show(a | b)  # expect: 0 32 64 3 8 40 1000 16 48 24 56
show(b | a)  # expect: 64 0 32 3 8 1000 40 16 48 24 56
show(a & b)  # expect: 8
show(b - {8})  # expect: 64 1000 3
show(a ^ b)  # expect: 64 0 32 3 40 1000 16 48 24 56
a -= {8, 16, 24}
a.update([5, 13, 21], {100: 1})
show(a)  # expect: 0 32 100 5 40 13 48 21 56
show({x: 1 for x in (33, 2, 1)}.keys() - {2})  # expect: 33 1
print([hash(x) for x in (-1, 0.5, 1e300, (1, (2.5, 3)), frozenset([1, 2]), 2**62, -3j)])
# expect: [-2, 1152921504606846976, 1224995262755759164, 6732203531157814615, -1826646154956904602, 2, -3000009]
