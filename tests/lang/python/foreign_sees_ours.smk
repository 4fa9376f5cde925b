# Functions and classes of ours as foreign code sees them, and foreign objects as our modules do.
import collections, datetime, functools, inspect, json, os, sys, tempfile
def tell(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
def function(x, /, y=2, *args, z=[3], **kwargs):
    "What it does."
class Class:
    def __init__(self, a, *, b=None):
        pass
    def method(self, q=1):
        pass
print(inspect.signature(function), inspect.getdoc(function)) # expect: (x, /, y=2, *args, z=[3], **kwargs) What it does.
print(inspect.signature(Class), inspect.signature(Class(1).method)) # expect: (a, *, b=None) (q=1)

with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "kf_foreign.py"), "w") as f:
        f.write("""
import datetime, collections.abc
class Stamp(datetime.datetime): pass
class Number(float): pass
class Table(dict): pass
class Column:
    def __init__(self, items): self.items = items
    def __iter__(self): return iter(self.items)
    def keys(self): return range(len(self.items))
    def __getitem__(self, i): return self.items[i]
class Nothing: pass
nothing = Nothing()
def same(a): return a == nothing, a != nothing, nothing == a
def add(a):
    try:
        return nothing + a
    except TypeError as e:
        return "TypeError"
async def unknown(): pass
""")
    with open(os.path.join(folder, "kf_ours.py"), "w") as f:
        f.write("def add(a, b=1):\n    return a + b\n")
    sys.path.insert(0, folder)
    import kf_foreign
    stamp = kf_foreign.Stamp(2020, 1, 2)
    print(isinstance(stamp, datetime.datetime), isinstance(stamp, datetime.date), isinstance(stamp, datetime.time)) # expect: True True False
    print(issubclass(kf_foreign.Stamp, datetime.datetime), isinstance(kf_foreign.Column([1]), collections.abc.Iterable)) # expect: True True
    print(stamp > datetime.datetime(2019, 1, 1), datetime.datetime(2020, 1, 3) - stamp) # expect: True 1 day, 0:00:00
    print(json.dumps({"a": kf_foreign.Number(1.5), "b": kf_foreign.Table(c=[1])})) # expect: {"a": 1.5, "b": {"c": [1]}}
    tell(lambda: json.dumps(kf_foreign.nothing)) # expect: TypeError Object of type Nothing is not JSON serializable
    print(collections.Counter(kf_foreign.Column("aab")).most_common()) # expect: [('a', 2), ('b', 1)]
    print(kf_foreign.same(function), kf_foreign.same(Class(1)), kf_foreign.add(Class(1))) # expect: (False, True, False) (False, True, False) TypeError

    # what a module defines is found by other processes
    import kf_ours, multiprocessing
    with multiprocessing.Pool(2) as pool:
        print(pool.map(kf_ours.add, [1, 2]), pool.map(functools.partial(kf_ours.add, b=5), [1])) # expect: [2, 3] [6]
        try:
            pool.map(lambda x: x, [1])
        except TypeError as e:
            print(str(e).split(":")[0]) # expect: an object of the Snakefile cannot be copied into another process
