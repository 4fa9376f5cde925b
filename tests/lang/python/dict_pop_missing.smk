# pop() does not ask __missing__, as d[key] does.
from collections import defaultdict
class Named(dict):
    def __missing__(self, key):
        return key.upper()
print(Named()["a"], Named().pop("a", None))
for d in Named(), defaultdict(list):
    try:
        print(d.pop("a"))
    except KeyError as e:
        print(repr(e), d)
# expect: A None
# expect: KeyError('a') {}
# expect: KeyError('a') defaultdict(<class 'list'>, {})
