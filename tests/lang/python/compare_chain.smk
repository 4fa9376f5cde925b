x = 5
print(1 < x < 10, 1 < x > 3, 10 > x > 7)
print(x == 5 == 5.0, 1 < 2 < 3 < 4)
def f(v):
    print("f", v)
    return v
print(f(1) < f(0) < f(2))
# expect: True True False
# expect: True True
# expect: f 1
# expect: f 0
# expect: False
