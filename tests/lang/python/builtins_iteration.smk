print(list(zip([1, 2, 3], "ab")), list(enumerate("ab", 1)), list(reversed([1, 2])))
print(list(map(str, [1, 2])), list(filter(None, [0, 1, "", "a"])), list(map(lambda a, b: a + b, [1, 2], [3, 4])))
print(any([0, 1]), all([]), all([1, 0]), sum([1, 2], 10), min("b", "a"), max([1, 5, 3], key=lambda x: -x))
print(min([], default=0), next(iter([7])), next(iter([]), "none"), sorted(zip("ba", [1, 2])))
# expect: [(1, 'a'), (2, 'b')] [(1, 'a'), (2, 'b')] [2, 1]
# expect: ['1', '2'] [1, 'a'] [4, 6]
# expect: True True False 13 a 1
# expect: 0 7 none [('a', 2), ('b', 1)]
