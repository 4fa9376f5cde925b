def f(a):
    pass
f(a=1, b=2)
# expect error: TypeError: f() got an unexpected keyword argument 'b'
