# Foreign code that looks into the frame that called it finds the variables of the Snakefile there, as
# pandas does for df.query("sample == @sample").
import os, sys, tempfile

with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "kf_caller.py"), "w") as f:
        f.write("""
import asyncio, sys
async def foreign(): pass  # not for the evaluator of the Snakefile
def variable(name):
    names = sys._getframe(1).f_locals.copy()
    names["own"] = 5
    return names.get(name, "none"), name in names, names["own"]
class Table:
    def query(self, name): return sys._getframe(1).f_locals[name]
def apply(f): return f()
""")
    sys.path.insert(0, folder)
    import kf_caller

value = "global"


def function(value, other=2):
    kind = [3]

    def inner():
        return kf_caller.variable("kind"), kf_caller.variable("other"), kind

    print(kf_caller.variable("value"), kf_caller.Table().query("kind"), inner())
    return kf_caller.apply(lambda: kf_caller.Table().query("value") + value)


print(kf_caller.variable("value"), kf_caller.variable("nothing"))  # expect: ('global', True, 5) ('none', False, 5)
print(function("local"))
# expect: ('local', True, 5) [3] (([3], True, 5), ('none', False, 5), [3])
# expect: locallocal
try:
    kf_caller.Table().query("nothing")
except KeyError as e:
    print(repr(e))  # expect: KeyError('nothing')
