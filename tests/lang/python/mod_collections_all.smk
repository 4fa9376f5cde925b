from collections import *
import collections.abc as abc
d=defaultdict(list); d['a'].append(1); print(d, d['x'], len(d), 'q' in d, d.get('q'), d.default_factory)
d=defaultdict(int, {'a':1}, b=2); d['z']+=1; print(dict(d), d.copy(), d==dict(a=1,b=2,z=1), d|{'k':1})
try: defaultdict(3)
except TypeError as e: print(e)
try: defaultdict(None)['x']
except KeyError as e: print(repr(e))
class D(defaultdict):
    def __missing__(self,k): self[k]=k*2; return k*2
print(D()['ab'])
class E(defaultdict):
    def __init__(self): super().__init__(list)
e=E(); e[1].append(2); print(e, isinstance(e,dict))
q=deque([1,2,3],maxlen=3); q.append(4); print(q, q[0], q[-1], len(q)); q.appendleft(0); print(q, q.maxlen, list(reversed(q)))
q=deque('abc'); q.rotate(1); print(q, 'a' in q, q.index('b'), q.count('c')); q.rotate(-2); print(q); q.extendleft([1,2]); print(q, q.pop(), q.popleft()); q.insert(1,'X'); print(q); q.remove('X'); del q[0]; q.reverse(); print(q, q==deque(q), deque([1])+deque([2]), deque([1])*3, deque([1])<deque([2]), bool(deque()))
for f in (lambda: deque().pop(), lambda: deque()[0], lambda: deque([1]).remove(2), lambda: deque([1]).index(5), lambda: deque(5), lambda: deque([1],-1), lambda: deque([1])+[1], lambda: hash(deque())):
    try: print(f())
    except Exception as x: print(type(x).__name__, x)
c=Counter('abracadabra'); print(c, c.most_common(2), c['q'], sum(c.values()), c+Counter('aa'), c-Counter('aaab'), c&Counter('ab'), c|Counter('zz'), sorted(c.elements())[:3], c.total())
c.update(['a','z']); c.subtract(a=3); print(c, Counter(a=1)==Counter(a=1,b=0), Counter(), isinstance(c,dict)); del c['nope']
P=namedtuple('P','x y'); p=P(1,y=2); print(p, p.x, p[1], p._asdict(), p._replace(x=5), P._fields, P._make([3,4]), p==(1,2), P.__name__); x,y=p; print(x,y)
Q=namedtuple('Q',['a','b'],defaults=[9]); print(Q(1), Q._field_defaults)
for f in (lambda: P(1), lambda: P(1,2,3), lambda: P(1,z=2), lambda: p.zz, lambda: namedtuple('A','x x'), lambda: namedtuple('A','class'), lambda: p._replace(q=1)):
    try: print(f())
    except Exception as x: print(type(x).__name__, x)
try: p.x=3
except AttributeError as e: print("AE")
class R(namedtuple('R','a b')):
    __slots__=()
    @property
    def s(self): return self.a+self.b
print(R(1,2), R(1,2).s, isinstance(R(1,2),tuple), hash(P(1,2))==hash((1,2)), sorted([P(2,1),P(1,2)]))
o=OrderedDict([('a',1),('b',2)]); o.move_to_end('a'); print(o, o.popitem(last=False), o, OrderedDict(), OrderedDict(a=1)==OrderedDict(a=1), OrderedDict([(1,2),(3,4)])==OrderedDict([(3,4),(1,2)]), OrderedDict(a=1)=={'a':1}); o['k']=3; o.move_to_end('k',last=False); print(list(o), list(reversed(o)))
m=ChainMap({'a':1},{'b':2,'a':3}); print(m['a'], m['b'], len(m), sorted(m), m, dict(m), m.get('z'), 'b' in m, m.new_child({'a':7})['a'], m.parents)
class U(UserDict):
    def __getitem__(self,k): return self.data[k]*2
u=U({'a':1}); u['b']=2; print(u, u['a'], dict(u), len(u), list(u.items()), u.get('zz',0), 'a' in u, u.pop('a'), u, isinstance(u, abc.Mapping), isinstance(u,dict))
print(isinstance([],abc.Sequence), isinstance({},abc.Mapping), isinstance('',abc.Iterable), isinstance(3,abc.Iterable), isinstance(len,abc.Callable), isinstance({1},abc.Set), isinstance((i for i in []),abc.Generator), isinstance(iter([]),abc.Iterator), issubclass(list,abc.MutableSequence), isinstance((),abc.MutableSequence), isinstance([],abc.Hashable), isinstance(1,abc.Hashable), isinstance(d, abc.MutableMapping), isinstance({}.keys(), abc.KeysView))
class M(abc.Mapping):
    def __init__(self,d): self.d=d
    def __getitem__(self,k): return self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
m=M({'a':1}); print(m.get('b',3), dict(m), list(m.items()), 'a' in m, list(m.keys()), m=={'a':1}, isinstance(m,abc.Mapping), isinstance({}, M))
print(UserList([3,1,2])+[4], len(UserList([1])), UserString("ab").upper())

# expect: defaultdict(<class 'list'>, {'a': [1], 'x': []}) [] 2 False None <class 'list'>
# expect: {'a': 1, 'b': 2, 'z': 1} defaultdict(<class 'int'>, {'a': 1, 'b': 2, 'z': 1}) True defaultdict(<class 'int'>, {'a': 1, 'b': 2, 'z': 1, 'k': 1})
# expect: first argument must be callable or None
# expect: KeyError('x')
# expect: abab
# expect: E(<class 'list'>, {1: [2]}) True
# expect: deque([2, 3, 4], maxlen=3) 2 4 3
# expect: deque([0, 2, 3], maxlen=3) 3 [3, 2, 0]
# expect: deque(['c', 'a', 'b']) True 2 1
# expect: deque(['b', 'c', 'a'])
# expect: deque([1, 'b', 'c']) a 2
# expect: deque([1, 'X', 'b', 'c'])
# expect: deque(['c', 'b']) True deque([1, 2]) deque([1, 1, 1]) True False
# expect: IndexError pop from an empty deque
# expect: IndexError deque index out of range
# expect: ValueError 2 is not in deque
# expect: ValueError 5 is not in deque
# expect: TypeError 'int' object is not iterable
# expect: ValueError maxlen must be non-negative
# expect: TypeError can only concatenate deque (not "list") to deque
# expect: TypeError unhashable type: 'collections.deque'
# expect: Counter({'a': 5, 'b': 2, 'r': 2, 'c': 1, 'd': 1}) [('a', 5), ('b', 2)] 0 11 Counter({'a': 7, 'b': 2, 'r': 2, 'c': 1, 'd': 1}) Counter({'a': 2, 'r': 2, 'b': 1, 'c': 1, 'd': 1}) Counter({'a': 1, 'b': 1}) Counter({'a': 5, 'b': 2, 'r': 2, 'z': 2, 'c': 1, 'd': 1}) ['a', 'a', 'a'] 11
# expect: Counter({'a': 3, 'b': 2, 'r': 2, 'c': 1, 'd': 1, 'z': 1}) True Counter() True
# expect: P(x=1, y=2) 1 2 {'x': 1, 'y': 2} P(x=5, y=2) ('x', 'y') P(x=3, y=4) True P
# expect: 1 2
# expect: Q(a=1, b=9) {'b': 9}
# expect: TypeError P.__new__() missing 1 required positional argument: 'y'
# expect: TypeError P.__new__() takes 3 positional arguments but 4 were given
# expect: TypeError P.__new__() got an unexpected keyword argument 'z'
# expect: AttributeError 'P' object has no attribute 'zz'
# expect: ValueError Encountered duplicate field name: 'x'
# expect: ValueError Type names and field names cannot be a keyword: 'class'
# expect: ValueError Got unexpected field names: ['q']
# expect: AE
# expect: R(a=1, b=2) 3 True True [P(x=1, y=2), P(x=2, y=1)]
# expect: OrderedDict({'a': 1}) ('b', 2) OrderedDict({'a': 1}) OrderedDict() True False True
# expect: ['k', 'a'] ['a', 'k']
# expect: 1 2 2 ['a', 'b'] ChainMap({'a': 1}, {'b': 2, 'a': 3}) {'b': 2, 'a': 1} None True 7 ChainMap({'b': 2, 'a': 3})
# expect: {'b': 2} 2 {'a': 2, 'b': 4} 2 [('a', 2), ('b', 4)] 0 True 2 {'b': 2} True False
# expect: True True True False True True True True True False False True True True
# expect: 3 {'a': 1} [('a', 1)] True ['a'] True True False
# expect: [3, 1, 2, 4] 1 AB
