print(1 and 2, 0 and 2, 0 or 3, 1 or 3, not 0)
print([] or "empty", "" and 1, None or 0 or [])
print(bool([]), bool([0]), bool(""), bool("0"), bool(0.0), bool({}))
print(True + True, sum([True, False, True]))
def loud(x):
    print("loud", x)
    return x
print(loud(0) and loud(1))
print(loud(1) or loud(2))
# expect: 2 0 3 1 True
# expect: empty  []
# expect: False True False True False False
# expect: 2 2
# expect: loud 0
# expect: 0
# expect: loud 1
# expect: 1
