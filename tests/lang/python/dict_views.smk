d = {"a": 1, "b": 2}
keys = d.keys()
d["c"] = 3
print(keys, len(keys), "c" in keys, d.keys() & {"a", "z"})
print([k + str(v) for k, v in d.items()], 3 in d.values(), max(d, key=d.get))
# expect: dict_keys(['a', 'b', 'c']) 3 True {'a'}
# expect: ['a1', 'b2', 'c3'] True c

# Compared like sets, also where the items are not hashable.
lists = {"a": [1], "b": [2]}
print(lists.items() >= {"a": [1]}.items(), lists.items() <= {"a": [1]}.items())  # expect: True False
print(lists.items() == {"b": [2], "a": [1]}.items(), lists.keys() > {"a"})  # expect: True True
print(lists.items() != {"b": [2], "a": [3]}.items())  # expect: True
