from functools import *
import functools
p=partial(int, base=2); print(p('101'), p.func, p.args, p.keywords, functools.partial(print,1,a=2).keywords)
q=partial(partial(max,3),4); print(q(1), q.args, q.func is max)
print(reduce(lambda a,b:a+b,[1,2,3]), reduce(lambda a,b:a*b,[],7))
try: reduce(lambda a,b:a,[])
except TypeError as e: print(e)
try: partial(3)
except TypeError as e: print(e)
@lru_cache(maxsize=2)
def f(x,y=1):
    "doc"
    print("call",x,y); return x+y
f(1);f(1);f(2);f(3);f(1);f(1,y=2); print(f.cache_info(), f.__name__, f.__doc__, f.__wrapped__(1))
f.cache_clear(); print(f.cache_info())
@lru_cache
def g(n): return n if n<2 else g(n-1)+g(n-2)
print(g(60))
@cache
def h(x): return [x]
print(h(1) is h(1), h.cache_info())
try: f([])
except TypeError as e: print(e)
class C:
    @cached_property
    def v(self): print("once"); return 5
    @lru_cache(None)
    def m(self,x): print("m",x); return x
c=C(); print(c.v,c.v, c.m(1), c.m(1))
@total_ordering
class T:
    def __init__(s,x): s.x=x
    def __eq__(s,o): return s.x==o.x
    def __lt__(s,o): return s.x<o.x
print(T(1)<=T(1), T(2)>T(1), T(1)>=T(2), sorted([3,1,2],key=cmp_to_key(lambda a,b:b-a)))
def deco(fn):
    @wraps(fn)
    def w(*a,**k): return fn(*a,**k)*2
    return w
@deco
def k(x): "kd"; return x
print(k(4),k.__name__,k.__doc__)
@singledispatch
def s(x): return "obj"
@s.register(int)
def _(x): return "int"
@s.register
def _(x: str): return "str"
print(s(1),s("a"),s([]), s(True))

# expect: 5 <class 'int'> () {'base': 2} {'a': 2}
# expect: 4 (3, 4) True
# expect: 6 7
# expect: reduce() of empty iterable with no initial value
# expect: the first argument must be callable
# expect: call 1 1
# expect: call 2 1
# expect: call 3 1
# expect: call 1 1
# expect: call 1 2
# expect: call 1 1
# expect: CacheInfo(hits=1, misses=5, maxsize=2, currsize=2) f doc 2
# expect: CacheInfo(hits=0, misses=0, maxsize=2, currsize=0)
# expect: 1548008755920
# expect: True CacheInfo(hits=1, misses=1, maxsize=None, currsize=1)
# expect: unhashable type: 'list'
# expect: once
# expect: m 1
# expect: 5 5 1 1
# expect: True True False [3, 2, 1]
# expect: 8 k kd
# expect: int str obj int
