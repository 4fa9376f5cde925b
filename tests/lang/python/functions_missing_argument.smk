def f(a, b):
    pass
f(1)
# expect error: TypeError: f() missing 1 required positional argument: 'b'
