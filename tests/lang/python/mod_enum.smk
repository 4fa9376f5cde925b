from enum import IntEnum, Enum, auto, unique
class C(Enum):
    RED = 1
    GREEN = auto()
    BLUE = 'b'
    CRIMSON = 1
    def hello(self): return self.name.lower()
print(C.RED, repr(C.GREEN), C(1) is C.RED, C['BLUE'], C.RED.value, C.RED.name, list(C), len(C), C.RED == C.CRIMSON, C.RED == 1, C.RED.hello(), C.RED in C, isinstance(C.RED, C), {C.RED: 1}[C.RED])
for f in (lambda: C(9), lambda: C['X']):
    try: f()
    except Exception as e: print(type(e).__name__, e)
class P(Enum):
    A = (1, 2)
    B = (3, 4)
    def __init__(self, x, y): self.x = x; self.y = y
print(P.A.x, P.B.y, P((1,2)), f"{P.A}", [p.name for p in P])
class M(str, Enum):
    A = "a"
    B = "b"
print(M.A == "a", M("b"), repr(M.A), M.A.value + "x")

# expect: C.RED <C.GREEN: 2> True C.BLUE 1 RED [<C.RED: 1>, <C.GREEN: 2>, <C.BLUE: 'b'>] 3 True False red True True 1
# expect: ValueError 9 is not a valid C
# expect: KeyError 'X'
# expect: 1 4 P.A P.A ['A', 'B']
# expect: True M.B <M.A: 'a'> ax

Steps = Enum("Steps", "TRIM ALIGN")
print(list(Steps), Steps.ALIGN.value)  # expect: [<Steps.TRIM: 1>, <Steps.ALIGN: 2>] 2
print(IntEnum("Level", ["LOW", "HIGH"], start=5).HIGH + 1, Enum("Tool", {"STAR": "star"})("star"))  # expect: 7 Tool.STAR
