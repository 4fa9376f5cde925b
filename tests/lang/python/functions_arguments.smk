def f(a, b=2, *args, c, d=4, **kw):
    return a, b, args, c, d, kw
print(f(1, c=3))  # expect: (1, 2, (), 3, 4, {})
print(f(1, 2, 3, 4, c=5, e=6))  # expect: (1, 2, (3, 4), 5, 4, {'e': 6})
print(f(*[1, 2], **{"c": 3, "z": 9}))  # expect: (1, 2, (), 3, 4, {'z': 9})
def g(a, /, b, *, c=0):
    return a + b + c
print(g(1, 2), g(1, b=2, c=3))  # expect: 3 6
print((lambda *a, **k: (a, k))(1, x=2))  # expect: ((1,), {'x': 2})
