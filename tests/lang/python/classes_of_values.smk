class S(str):
    def __new__(cls, text, tag=None):
        self = super().__new__(cls, text)
        self.tag = tag
        return self
    def __repr__(self):
        return f"S({str(self)!r}, {self.tag})"
s = S("abc", 5)
print(s, repr(s), s.tag, s.upper(), len(s), s == "abc", {s: 1}["abc"], isinstance(s, str), s + "x", s.__dict__)
s.other = [1]
print(s.other, hasattr(s, "none"), s[1:], f"{s:>5}", ",".join([s, s]))
class I(int):
    def __init__(self, v, unit="m"):
        self.unit = unit
    def __new__(cls, v, unit="m"):
        return int.__new__(cls, v)
i = I(5, "km")
print(i + 1, i.unit, i, isinstance(i, int), {5: "x"}[i])
class T(tuple):
    pass
t = T((1, 2)); t.name = "n"; print(t, t.name, len(t))
class B(bytes): pass
b = B(b"ab"); b.k = 1; print(b, b.k)
class K:
    def __init__(self, s): self.s = s
    def __hash__(self): return hash(self.s)
    def __eq__(self, o): return self.s == (o.s if isinstance(o, K) else o)
d = {"a": 1, 3: 2, 2.5: 4, (1, "x"): 5}
print(d.get(K("a")), K("a") in d, {K("a"): 7}["a"], d.get(K(3)), d.get(K(2.5)), d.get(K((1, "x"))), len({K("a"), "a"}), hash(K(7)) == 7, hash("a") == hash(K("a")))
import enum
class Color(str, enum.Enum):
    RED = "red"
print(Color.RED == "red", Color.RED.value, {"red": 1}[Color.RED])
class F(float):
    pass
f = F(1.5); f.u = 2; print(f, f.u, f * 2)

# expect: abc S('abc', 5) 5 ABC 3 True 1 True abcx {'tag': 5}
# expect: [1] False bc   abc abc,abc
# expect: 6 km 5 True x
# expect: (1, 2) n 2
# expect: b'ab' 1
# expect: 1 True 7 2 4 5 1 True True
# expect: True red 1
# expect: 1.5 2 3.0
