fs = [lambda: i for i in range(3)]
print([f() for f in fs])  # expect: [2, 2, 2]
gs = [lambda i=i: i for i in range(3)]
print([g() for g in gs])  # expect: [0, 1, 2]
