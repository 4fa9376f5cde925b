x = {"a": [1, (2, 3), {"b": None}], "c": {"d": {1.5}}}
print(x)  # expect: {'a': [1, (2, 3), {'b': None}], 'c': {'d': {1.5}}}
x["self"] = x["a"]
x["a"].append(x["a"])
print(x["a"])  # expect: [1, (2, 3), {'b': None}, [...]]
