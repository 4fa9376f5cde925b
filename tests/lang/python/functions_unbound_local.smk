x = 1
def f():
    print(x)
    x = 2
f()
# expect error: UnboundLocalError: cannot access local variable 'x' where it is not associated with a value
