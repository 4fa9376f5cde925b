# Lists, dicts and sets that foreign code was given stay one with ours while it has them.
import bisect
import pkgutil
from argparse import Namespace
from configparser import ConfigParser

heapq = pkgutil.resolve_name("heapq")  # python3's own

heap = []
for x in (5, 1, 4, 2):
    heapq.heappush(heap, x)
print(heap, heapq.heappop(heap), heap)
bisect.insort(heap, 3)
print(heap)

config = {"a": 1, "nested": {"list": [1, 2]}}
space = Namespace(config=config)
space.config["a"] = 2  # a write there
config["b"] = 3  # a write here
config["nested"]["list"].append(3)
print(config, space.config, space.config is config, space.config["nested"]["list"] is config["nested"]["list"])
del config["nested"]
print(space, config)


def change(d, l, s):
    d["changed"] = True
    l.sort()
    s.add("more")
    return d


from functools import partial

d, l, s = {}, [3, 1, 2], {"one"}
Namespace(f=change).f(d, l, s)
print(d, l, sorted(s))

# Shared and cyclic ones.
inner = [1]
both = [inner, inner]
space.both = both
space.both[0].append(2)
print(both, both[0] is both[1], space.both[1] is inner)
loop = []
loop.append(loop)
space.loop = loop
print(space.loop is loop, space.loop[0] is loop)
args = {"text": "x"}
print(Namespace(**args), "{text}".format_map(args))

parser = ConfigParser()
parser.read_dict({"section": {"key": "value", "n": 3}})
print(parser["section"]["key"], parser.getint("section", "n"), parser.sections(), "section" in parser)
parser["section"]["key"] = "changed"
print(dict(parser["section"]), {**parser["section"]}, [k for k in parser["section"]])

# A defaultdict is one over there, too: libraries look for that, and copy it.
from collections import defaultdict
from pprint import pformat
from _operator import getitem, methodcaller

counted = defaultdict(lambda: "made", here=[1])
print(getitem(counted, "new"), dict(counted), Namespace(kinds=counted).kinds is counted)
print(pformat(defaultdict(list, a=[1])), dict(methodcaller("copy")(counted)))

# expect: [2, 5, 4] 1 [2, 5, 4]
# expect: [2, 3, 5, 4]
# expect: {'a': 2, 'nested': {'list': [1, 2, 3]}, 'b': 3} {'a': 2, 'nested': {'list': [1, 2, 3]}, 'b': 3} True True
# expect: Namespace(config={'a': 2, 'b': 3}) {'a': 2, 'b': 3}
# expect: {'changed': True} [1, 2, 3] ['more', 'one']
# expect: [[1, 2], [1, 2]] True True
# expect: True True
# expect: Namespace(text='x') x
# expect: value 3 ['section'] True
# expect: {'key': 'changed', 'n': '3'} {'key': 'changed', 'n': '3'} ['key', 'n']
# expect: made {'here': [1], 'new': 'made'} True
# expect: defaultdict(<class 'list'>, {'a': [1]}) {'here': [1], 'new': 'made'}
