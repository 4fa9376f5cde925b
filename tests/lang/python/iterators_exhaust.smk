it = iter([1, 2, 3])
print(next(it), list(it), list(it))  # expect: 1 [2, 3] []
z = zip("ab", [1, 2])
print(list(z), list(z))  # expect: [('a', 1), ('b', 2)] []
m = map(lambda x: x * 2, [1, 2])
print(list(m), list(m))  # expect: [2, 4] []
