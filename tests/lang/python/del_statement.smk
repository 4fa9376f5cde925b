x = [1, 2, 3]
del x[0], x[-1]
print(x)  # expect: [2]
d = {"a": {"b": 1}}
del d["a"]["b"]
print(d)  # expect: {'a': {}}
y = 1
del y
print("y" in globals())  # expect: False
