from itertools import product, chain, combinations
from functools import partial, reduce
from collections import OrderedDict, defaultdict, Counter, namedtuple
print(list(product("ab", [1, 2])), list(chain([1], [2])), list(combinations("abc", 2)))
print(partial(int, base=2)("101"), reduce(lambda a, b: a * b, [1, 2, 3, 4]))
d = defaultdict(list)
d["a"].append(1)
P = namedtuple("P", "x y")
print(dict(d), Counter("aab").most_common(1), list(OrderedDict(b=1, a=2)), P(1, y=2), P(1, 2).x)
# expect: [('a', 1), ('a', 2), ('b', 1), ('b', 2)] [1, 2] [('a', 'b'), ('a', 'c'), ('b', 'c')]
# expect: 5 24
# expect: {'a': [1]} [('a', 2)] ['b', 'a'] P(x=1, y=2) 1
