d = {"b": 1, "a": 2}
d["c"] = 3
d["b"] = 9
print(d, len(d), "a" in d, d.get("x"), d.get("x", 0), list(d))
print(list(d.keys()), list(d.values()), list(d.items()))
print(d.pop("b"), d.pop("zz", None), d, d.setdefault("n", []), d)
d["b"] = 0
print(list(d), d.popitem())
del d["a"]
d.update({"x": 1}, y=2)
print(d, {**d, "x": 5}, d | {"z": 1})
print(dict(a=1), dict([("k", "v")]), dict.fromkeys("ab", 0), dict(zip("ab", [1, 2])))
# expect: {'b': 9, 'a': 2, 'c': 3} 3 True None 0 ['b', 'a', 'c']
# expect: ['b', 'a', 'c'] [9, 2, 3] [('b', 9), ('a', 2), ('c', 3)]
# expect: 9 None {'a': 2, 'c': 3, 'n': []} [] {'a': 2, 'c': 3, 'n': []}
# expect: ['a', 'c', 'n', 'b'] ('b', 0)
# expect: {'c': 3, 'n': [], 'x': 1, 'y': 2} {'c': 3, 'n': [], 'x': 5, 'y': 2} {'c': 3, 'n': [], 'x': 1, 'y': 2, 'z': 1}
# expect: {'a': 1} {'k': 'v'} {'a': 0, 'b': 0} {'a': 1, 'b': 2}
