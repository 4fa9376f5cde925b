def f():
    try:
        int("x")
    except ValueError:
        print("seen")  # expect: seen
        raise
try:
    f()
except ValueError as e:
    print(e)  # expect: invalid literal for int() with base 10: 'x'
