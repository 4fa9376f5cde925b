print([x * y for x in range(3) for y in range(2) if x != y])
print({k: v for k, v in zip("ab", (1, 2))}, sorted({x % 3 for x in range(10)}))
print([[c for c in w] for w in ("ab", "c")], [a for a, *_ in [(1, 2), (3,)]])
x = "outer"
print([x for x in range(2)], x)
print(sum(n for n in range(5) if n % 2), list(i * i for i in range(4)))
print([y := 5, y ** 2], y)
# expect: [0, 0, 0, 2]
# expect: {'a': 1, 'b': 2} [0, 1, 2]
# expect: [['a', 'b'], ['c']] [1, 3]
# expect: [0, 1] outer
# expect: 4 [0, 1, 4, 9]
# expect: [5, 25] 5
