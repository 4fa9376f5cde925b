a, b = {1, 2, 3}, {2, 3, 4}
print(sorted(a & b), sorted(a | b), sorted(a - b), sorted(a ^ b))
print(a <= {1, 2, 3}, a < a, {1} < a, a.isdisjoint({9}), 2 in a)
a.add(9)
a.discard(100)
a.update([7], (8,))
a.remove(1)
print(sorted(a), sorted(set("hello")), len({1, 1.0, True}), frozenset([1]) == {1})
print(sorted(a.union([0])), sorted(a.intersection({9, 8})), sorted(a.difference([2, 3])))
# expect: [2, 3] [1, 2, 3, 4] [1] [1, 4]
# expect: True False True True True
# expect: [2, 3, 7, 8, 9] ['e', 'h', 'l', 'o'] 1 True
# expect: [0, 2, 3, 7, 8, 9] [8, 9] [7, 8, 9]
