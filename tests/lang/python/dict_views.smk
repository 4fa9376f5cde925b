d = {"a": 1, "b": 2}
keys = d.keys()
d["c"] = 3
print(keys, len(keys), "c" in keys, d.keys() & {"a", "z"})
print([k + str(v) for k, v in d.items()], 3 in d.values(), max(d, key=d.get))
# expect: dict_keys(['a', 'b', 'c']) 3 True {'a'}
# expect: ['a1', 'b2', 'c3'] True c
