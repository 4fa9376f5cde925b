# Small lists, dicts and sets that are asked for as attributes or items of foreign objects are the objects' own.
import pkgutil
from argparse import Namespace
from collections import UserDict

n = Namespace()
there = pkgutil.resolve_name("builtins:exec")  # python3's own
there("n.d = {'a': {'b': [1, 2]}, 's': {1}}; n.e = n.d['a']", {"n": n})
n.d["x"] = 1
n.d["a"]["b"].append(3)
n.d["s"].add(5)
print(n.d, n.e is n.d["a"], n.d is n.d)  # expect: {'a': {'b': [1, 2, 3]}, 's': {1, 5}, 'x': 1} True True
there("n.d['y'] = len(n.d); n.e['b'].append(4)", {"n": n})
print(n.d)  # expect: {'a': {'b': [1, 2, 3, 4]}, 's': {1, 5}, 'x': 1, 'y': 3}
mine = n.d
del n.d
mine["z"] = n.e
print(len(mine), mine["z"] is n.e)  # expect: 5 True
there("n.e['gone'] = 1", {"n": n})
print(mine["a"])  # expect: {'b': [1, 2, 3, 4], 'gone': 1}

# items of a foreign mapping, functions of ours among them, and what stands there twice
u = UserDict()
there("u['list'] = []; u['twice'] = [u['list']] * 2", {"u": u})
u["list"].append(lambda: 7)
print(u["list"][0](), len(u["twice"][1]))  # expect: 7 1
there("u['made'] = u['list'][0]()", {"u": u})
print(u["made"])  # expect: 7

# many, and large ones
there("n.many = [[i] for i in range(1000)]; n.large = list(range(100000))", {"n": n})
print(sum(len(x) for x in n.many), len(n.large))  # expect: 1000 100000
for i in range(300):
    there("u[i] = [i]", {"u": u, "i": i})
    u[i].append(i)
print(u[0], u[20])  # expect: [0, 0] [20, 20]
n.e["still"] = 1
there("n.e['seen'] = n.e['still']", {"n": n})
print(n.e["seen"])  # expect: 1
