parts = [[i, i + 1] for i in range(40000)]
print(len(set().union(*parts)))  # expect: 40001
print(sorted({5}.union([1], (2, 3), {4: 0}, "a" * 0)))  # expect: [1, 2, 3, 4, 5]
frozen = frozenset("a")
print(type(frozen.union("b")).__name__, sorted(frozen.union("b", "c")), frozen == {"a"})  # expect: frozenset ['a', 'b', 'c'] True
