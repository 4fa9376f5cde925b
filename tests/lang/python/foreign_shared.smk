# What stands in a result of python3 more than once is one object here, too: aliases of YAML that ruamel has read.
import yaml
from pickle import dumps, loads

inner = [1]
both = loads(dumps({"a": inner, "b": inner, "deep": {"t": (inner, 2)}, "rows": [{"q": inner}], "s": {3}}))
print(both, both["a"] is inner)
# expect: {'a': [1], 'b': [1], 'deep': {'t': ([1], 2)}, 'rows': [{'q': [1]}], 's': {3}} False
print(both["a"] is both["b"], both["deep"]["t"][0] is both["a"], both["rows"][0]["q"] is both["a"])
# expect: True True True
both["a"].append(2)
print(both["b"], yaml.dump({"p": both["a"], "q": both["b"]}, default_flow_style=True).strip())
# expect: [1, 2] {p: &id001 [1, 2], q: *id001}
names = {"x", "y"}
twice = loads(dumps([names, names, {"k": names}, {}, {}, [], []]))
print(twice[0] is twice[1], twice[2]["k"] is twice[0], twice[3] is twice[4], twice[5] is twice[6], twice[3:])
# expect: True True False False [{}, {}, [], []]
ring = [1]
ring.append(ring)
mirror = {}
mirror["me"] = mirror
ring, mirror = loads(dumps((ring, mirror)))
print(ring[1] is ring, mirror["me"] is mirror, ring)  # expect: True True [1, [...]]
