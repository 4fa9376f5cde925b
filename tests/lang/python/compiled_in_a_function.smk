# Compiled code sees the names of the function that runs it, or the ones that are given.
from collections import defaultdict


def inside(*args):
    code = compile("args[0] + 1", "x", "eval")
    return eval(code), eval(code, None, None), eval(code, {"args": [5]}), eval(code, {}, {"args": [6]}), eval("args[0]", None)


print(*inside(1))


def run(x):
    names = {"x": x}
    exec(compile("y = x + 1\ndef f(): return 7\nz = f()", "x", "exec"), None, names)
    return names["y"], names["z"]


print(run(2))
names = {}
exec(compile("a = 1\ndef f(): return a\nb = f() + 1", "x", "exec"), names)
print(names["a"], names["b"], "a" in globals())
exec(compile("top = [q for q in range(3)]", "x", "exec"))
print(top)
both = {3: 4} | defaultdict(list, {1: [2]})
print(type(both).__name__, both[5], sorted(both))
# expect: 2 2 6 7 1
# expect: (3, 7)
# expect: 1 2 False
# expect: [0, 1, 2]
# expect: defaultdict [] [1, 3, 5]
