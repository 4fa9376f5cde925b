d = {"a": 1, "b": 2}
print({v: k for k, v in d.items()}, {k: [x for x in range(v)] for k, v in d.items()})
print(dict(sorted(d.items(), key=lambda kv: -kv[1])))
# expect: {1: 'a', 2: 'b'} {'a': [0], 'b': [0, 1]}
# expect: {'b': 2, 'a': 1}
