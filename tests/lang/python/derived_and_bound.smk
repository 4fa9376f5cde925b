# Classes derived from numbers, methods made by hand, copies of partial functions, what classes know of each other.
class I(int):
    def __repr__(self): return "I(%r)" % int(self)
    def __add__(self, other): return I(int(self) + int(other))
    __radd__ = __add__
    def __pow__(self, other, mod=None): return I(pow(int(self), int(other)) if mod is None else pow(int(self), int(other), int(mod)))
    def __rpow__(self, other, mod=None): return I(pow(int(other), int(self)) if mod is None else pow(int(other), int(self), int(mod)))
def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, str(e)[:100])
t(lambda: (type(int(I(3))), repr(I(1) + I(2)), repr(I(1) + 2), repr(1 + I(2))))
t(lambda: repr(I(2) ** I(3)))
t(lambda: repr(2 ** I(3)))
t(lambda: repr(I(2) ** 3))
class S(str):
    def __eq__(self, other): return self.lower() == other.lower()
    __hash__ = str.__hash__
t(lambda: (type(str(S("a"))), type(S("a") + "b"), type(S("ab")[0:]), type(S("a").upper()), type(float(True))))
class hexint(int):
    def __repr__(self): return hex(self)
    def __add__(self, other): return hexint(int.__add__(self, other))
t(lambda: (repr(hexint(7) + 9), repr(hexint(1000) + 7), type(int(hexint(12345))), hash(hexint(12345)) == 12345, type(+hexint(5)), type(hexint(5) >> 0), type(hexint(5) << 0), type(abs(hexint(5))), type(-hexint(5)), type(hexint(5) & 7), type(round(hexint(5)))))
class F(float): pass
t(lambda: (type(float(F(1))), type(+F(1)), type(F(1) + 0), type(abs(F(1))), type(F(1).__trunc__())))
class L(list): pass
t(lambda: (type(L([1]) + [2]), type(L([1]) * 2), type(L([1])[:]), type(L([1]).copy()), type(list(L([1])))))
class D(dict): pass
t(lambda: (type(D(a=1).copy()), type(dict(D(a=1))), type(D(a=1) | {}), type(D.fromkeys("a"))))
class T(tuple): pass
t(lambda: (type(T((1,)) + (2,)), type(T((1,))[:]), type(tuple(T((1,)))), type(T((1,)) * 1)))
import types, copy, functools
class C:
    def m(self, x): return (self, x)
def f(self, x): return (type(self).__name__, x)
t(lambda: types.MethodType(f, C())(3))
t(lambda: f.__get__(C())(4))
t(lambda: f.__get__(C(), C)(5))
t(lambda: f.__get__(None, C) is f)
t(lambda: C.__dict__["m"].__get__(C(), C)(1)[1])
t(lambda: property(lambda s: 7).__get__(C(), C))
t(lambda: classmethod(f).__get__(None, C)(8))
t(lambda: staticmethod(f).__get__(None, C)(C(), 9))
t(lambda: copy.deepcopy(functools.partial(int, base=2))("101"))
t(lambda: copy.copy(functools.partial(int, base=2))("101"))
t(lambda: (Exception.__bases__, ValueError.__bases__, int.__bases__, bool.__bases__, C.__bases__, object.__bases__, OSError.__base__, C.__base__))
class P: pass
class Q(P): pass
class R(P): pass
class U(Q): pass
t(lambda: (P.__subclasses__(), Q.__subclasses__(), U.__subclasses__()))
t(lambda: C().m.__func__ is C.m)
t(lambda: f.__call__(C(), 2))
class B:
    x = functools.partialmethod(f, 10)
t(lambda: B().x())
class G:
    @functools.singledispatchmethod
    def neg(self, arg): return "any"
    @neg.register
    def _(self, arg: int): return -arg
t(lambda: (G().neg(5), G().neg("x")))
# expect: (<class 'int'>, 'I(3)', 'I(3)', 'I(3)')
# expect: I(8)
# expect: I(8)
# expect: I(8)
# expect: (<class 'str'>, <class 'str'>, <class 'str'>, <class 'str'>, <class 'float'>)
# expect: ('0x10', '0x3ef', <class 'int'>, True, <class 'int'>, <class 'int'>, <class 'int'>, <class 'int'>, <class 'int'>, <class 'int'>, <class 'int'>)
# expect: (<class 'float'>, <class 'float'>, <class 'float'>, <class 'float'>, <class 'int'>)
# expect: (<class 'list'>, <class 'list'>, <class 'list'>, <class 'list'>, <class 'list'>)
# expect: (<class 'dict'>, <class 'dict'>, <class 'dict'>, <class '__main__.D'>)
# expect: (<class 'tuple'>, <class 'tuple'>, <class 'tuple'>, <class 'tuple'>)
# expect: ('C', 3)
# expect: ('C', 4)
# expect: ('C', 5)
# expect: True
# expect: 1
# expect: 7
# expect: ('type', 8)
# expect: ('C', 9)
# expect: 5
# expect: 5
# expect: ((<class 'BaseException'>,), (<class 'Exception'>,), (<class 'object'>,), (<class 'int'>,), (<class 'object'>,), (), <class 'Exception'>, <class 'object'>)
# expect: ([<class '__main__.Q'>, <class '__main__.R'>], [<class '__main__.U'>], [])
# expect: True
# expect: ('C', 2)
# expect: ('B', 10)
# expect: (-5, 'any')
