import copy, string, csv, io, types, abc
from urllib.parse import *
from typing import *
from dataclasses import dataclass, field, asdict, replace, astuple
import dataclasses
a=[1,[2,{'k':[3]}]]; b=copy.deepcopy(a); b[1][1]['k'].append(4); c=copy.copy(a); print(a,b,c is a,c[1] is a[1])
class X:
    def __init__(s): s.l=[1]
x=X(); y=copy.deepcopy(x); z=copy.copy(x); y.l.append(2); print(x.l,y.l,z.l is x.l)
r=[1]; r.append(r); q=copy.deepcopy(r); print(q, q[1] is q)
print(string.Template("$a ${b}x $$ $c").safe_substitute(a=1,b=2), string.ascii_letters, string.capwords("ab cd"), string.Template("hi $n").substitute({'n':'z'}))
for f in (lambda: string.Template("$a").substitute(), lambda: string.Template("x $ y").substitute()):
    try: f()
    except Exception as e: print(type(e).__name__, e)
s=io.StringIO(); w=csv.writer(s); w.writerow([1,'a,b','q"q',None,1.5]); w.writerows([['x\ny',''],['']]); print(repr(s.getvalue()))
print(list(csv.reader(io.StringIO(s.getvalue()))), list(csv.reader(["a\tb","c\t'd'"],delimiter='\t')), list(csv.DictReader(["a,b","1,2","3"])))
s=io.StringIO(); w=csv.DictWriter(s,["a","b"],delimiter="\t",lineterminator="\n"); w.writeheader(); w.writerow({'a':1,'b':'x y'}); print(repr(s.getvalue()))
print(list(csv.reader(['"a ""b""",c',' "d", e'],skipinitialspace=True)), list(csv.reader(['1,"a"'],quoting=csv.QUOTE_NONNUMERIC)))
s=io.StringIO("a\nb\nc"); print(s.readline(), s.read(1), s.tell(), list(s), s.seek(0), s.readlines()); b=io.BytesIO(b"xyz"); print(b.read(2), b.getvalue()); s=io.StringIO(); print("hi",file=s); print(s.getvalue())
print(urlparse("http://u:p@h.com:80/p/a;x?q=1#f"), urlparse("http://H:80/").hostname, urlparse("http://h:80/").port, urljoin("http://a/b/c","../d"), quote("a b/ü"), unquote("a%20b%C3%BC"), urlencode({'a':1,'b':'x y'}), parse_qs("a=1&a=2&b="), urlsplit("s3://bucket/key").netloc, urlunparse(urlparse("http://a/b?c#d")), quote_plus("a b&c"), urlparse("file.txt"))
class N(NamedTuple):
    a: int
    b: str = "x"
    def f(self): return self.a*2
print(N(1), N(1,"y").f(), N._fields, N.__name__, isinstance(N(1),tuple)); P=NamedTuple("P",[("x",int)]); print(P(3))
print(Optional[int], List[str], Dict[str,int], Union[int,str], Callable[[int],str]); T=TypeVar("T"); print(T, cast(int,"x"))
class G(Generic[T]): pass
print(G().__class__.__name__)
@dataclass
class A:
    x: int
    y: list = field(default_factory=list)
    z: str = "q"
    def m(self): return self.x
print(A(1), A(1)==A(1), A(1,[2]), asdict(A(1,[A(2)])), replace(A(1),x=5), astuple(A(1)), [f.name for f in dataclasses.fields(A)])
@dataclass(frozen=True, order=True)
class B:
    x: int
print(B(1)<B(2), hash(B(1))==hash(B(1)), sorted([B(2),B(1)]))
for f in (lambda: setattr(B(1),'x',2), lambda: A(), lambda: A(1,2,3,4), lambda: hash(A(1))):
    try: f()
    except Exception as e: print(type(e).__name__, e)
@dataclass
class C(A):
    w: int = 3
    def __post_init__(self): self.x+=1
print(C(1))
n=types.SimpleNamespace(a=1,b='x'); n.c=3; print(n, isinstance(len,types.BuiltinFunctionType), isinstance(lambda:0,types.FunctionType))
class AB(abc.ABC):
    @abc.abstractmethod
    def f(self): pass
try: AB()
except TypeError as e: print(e)
class AC(AB):
    def f(self): return 1
print(AC().f())

# expect: [1, [2, {'k': [3]}]] [1, [2, {'k': [3, 4]}]] False True
# expect: [1] [1, 2] True
# expect: [1, [...]] True
# expect: 1 2x $ $c abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ Ab Cd hi z
# expect: KeyError 'a'
# expect: ValueError Invalid placeholder in string: line 1, col 3
# expect: '1,"a,b","q""q",,1.5\r\n"x\ny",\r\n""\r\n'
# expect: [['1', 'a,b', 'q"q', '', '1.5'], ['x\ny', ''], ['']] [['a', 'b'], ['c', "'d'"]] [{'a': '1', 'b': '2'}, {'a': '3', 'b': None}]
# expect: 'a\tb\n1\tx y\n'
# expect: [['a "b"', 'c'], ['d', 'e']] [[1.0, 'a']]
# expect: a
# expect:  b 3 ['\n', 'c'] 0 ['a\n', 'b\n', 'c']
# expect: b'xy' b'xyz'
# expect: hi
# expect:
# expect: ParseResult(scheme='http', netloc='u:p@h.com:80', path='/p/a', params='x', query='q=1', fragment='f') h 80 http://a/d a%20b/%C3%BC a bü a=1&b=x+y {'a': ['1', '2']} bucket http://a/b?c#d a+b%26c ParseResult(scheme='', netloc='', path='file.txt', params='', query='', fragment='')
# expect: N(a=1, b='x') 2 ('a', 'b') N True
# expect: P(x=3)
# expect: typing.Optional[int] typing.List[str] typing.Dict[str, int] typing.Union[int, str] typing.Callable[[int], str]
# expect: ~T x
# expect: G
# expect: A(x=1, y=[], z='q') True A(x=1, y=[2], z='q') {'x': 1, 'y': [{'x': 2, 'y': [], 'z': 'q'}], 'z': 'q'} A(x=5, y=[], z='q') (1, [], 'q') ['x', 'y', 'z']
# expect: True True [B(x=1), B(x=2)]
# expect: FrozenInstanceError cannot assign to field 'x'
# expect: TypeError A.__init__() missing 1 required positional argument: 'x'
# expect: TypeError A.__init__() takes from 2 to 4 positional arguments but 5 were given
# expect: TypeError unhashable type: 'A'
# expect: C(x=2, y=[], z='q', w=3)
# expect: namespace(a=1, b='x', c=3) True True
# expect: Can't instantiate abstract class AB without an implementation for abstract method 'f'
# expect: 1
