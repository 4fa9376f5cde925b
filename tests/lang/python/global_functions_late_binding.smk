def f():
    return helper() + 1
def helper():
    return 1
print(f())  # expect: 2
def helper():
    return 10
print(f())  # expect: 11
