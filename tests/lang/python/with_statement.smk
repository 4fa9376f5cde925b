class Ctx:
    def __init__(self, name):
        self.name = name
    def __enter__(self):
        print("enter", self.name)
        return self.name
    def __exit__(self, kind, value, trace):
        print("exit", self.name, kind and kind.__name__)
        return kind is KeyError
with Ctx("a") as a, Ctx("b") as b:
    print(a, b)
with Ctx("swallow"):
    {}["x"]
with (Ctx("p") as p, Ctx("q")):
    print(p)
# expect: enter a
# expect: enter b
# expect: a b
# expect: exit b None
# expect: exit a None
# expect: enter swallow
# expect: exit swallow KeyError
# expect: enter p
# expect: enter q
# expect: p
# expect: exit q None
# expect: exit p None
