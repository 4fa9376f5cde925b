a = list(range(6))
a[1:3] = ["x"]
a[::2] = [0, 0, 0]
print(a, a[-3:-1], a[slice(1, 3)])  # expect: [0, 'x', 0, 4, 0] [0, 4] ['x', 0]
del a[1:3]
a[len(a):] = [7]
print(a)  # expect: [0, 4, 0, 7]
