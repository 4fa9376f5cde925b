a, d = [1, 2], {"x": 1}
print([*a, 3, *"bc"], (*a,), {*a, 5} == {1, 2, 5}, {**d, "y": 2, **{"x": 9}})
def f(*args, **kw):
    return args, kw
print(f(*a, 3, *[4], **d, z=2))
# expect: [1, 2, 3, 'b', 'c'] (1, 2) True {'x': 9, 'y': 2}
# expect: ((1, 2, 3, 4), {'x': 1, 'z': 2})
