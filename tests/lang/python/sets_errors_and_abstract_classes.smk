class CM:
    def __enter__(self): return self
    def __exit__(self, *a):
        print(a[0], a[1], a[2] is None); return True
with CM():
    1 // 0
def f():
    with CM():
        1 // 0
f()
class NoExit:
    def __enter__(self): pass
class NoEnter:
    def __exit__(self, *a): pass
for c in (NoExit, NoEnter):
    try:
        with c(): pass
    except TypeError as e: print(e)
    except AttributeError as e: print(e)
# unrelated
class A: pass
try: A().x
except AttributeError as e: print(e.name, e.obj.__class__)
try: yyy
except NameError as e: print(e.name)
try: import nothing_here
except ImportError as e: print(e.path, e.msg, e.args)
try: from os import nothing_here
except ImportError as e: print(e.name)
try: raise ValueError from 1
except TypeError as e: print(e)
class Weird:
    def __new__(cls): return 1
class WE(Exception):
    def __new__(cls): return 1
try: raise WE
except TypeError as e: print(e)
try: raise ValueError().with_traceback(None)
except ValueError as e: print(e)
e = ValueError()
try: e.add_note(1)
except TypeError as x: print(x)
try: e.__cause__ = 1
except TypeError as x: print(x)
try: e.__context__ = 1
except TypeError as x: print(x)
try: int("x")
except ValueError as e:
    try: raise KeyError(1)
    except KeyError as k: print(repr(k.__context__), k.__cause__)
import sys
print(sys.exception())
try: 1/0
except: print(repr(sys.exception()))
d = {}
d |= [(1, 2)]
print(d, {1} in [{1}], {1} in {frozenset([1])}, {frozenset([1])} - {1})
s = {frozenset([1])}
s.discard({1}); print(s)
s = {frozenset([1])}
s.remove({1}); print(s)
try: s.remove({2})
except KeyError as e: print(repr(e))
for k in (list, tuple, set, frozenset):
    try: k(a=1)
    except TypeError as e: print(e)
from collections.abc import *
import collections
for v in (None, 1, "", b"", [], (), {}, set(), len, int, print, lambda: 1, {}.keys(), {}.values(), range(3), bytearray(), collections.deque(), collections.OrderedDict(), collections.UserDict(), collections.Counter(), (x for x in ""), object()):
    print(type(v).__name__, [c.__name__ for c in (Callable, Hashable, Iterable, Iterator, Sized, Container, Collection, Sequence, MutableSequence, Mapping, MutableMapping, Set, MutableSet, Reversible, Generator, KeysView, ValuesView) if isinstance(v, c)])
class U(collections.UserDict): pass
def m(x):
    match x:
        case {"a": 1, **r}: return "map", r
        case [a, *b]: return "seq", a, b
        case _: return "other"
class S(Sequence):
    def __getitem__(self, i): return [7, 8, 9][i]
    def __len__(self): return 3
class M(Mapping):
    def __getitem__(self, i): return {"a": 1}[i]
    def __len__(self): return 1
    def __iter__(self): return iter("a")
for v in (U({"a": 1, "b": 2}), S(), M(), collections.deque([1, 2]), range(3), "abc", b"abc", bytearray(b"abc"), {1}, collections.UserList([1, 2]), collections.OrderedDict(a=1), collections.ChainMap({"a": 1}), collections.Counter("a")):
    print(type(v).__name__, m(v))
print(collections.Counter(None), collections.Counter(a=1) | collections.Counter(a=3), collections.ChainMap({1: 2}) | {3: 4})
def g():
    yield 1
x = g(); print(x.__name__, x.__qualname__)

import traceback
for n in (42, [1, "x", None], "text", ("a",), None):
    e = ValueError("v")
    e.__notes__ = n
    print(traceback.format_exception_only(e))

# expect: <class 'ZeroDivisionError'> integer division or modulo by zero False
# expect: <class 'ZeroDivisionError'> integer division or modulo by zero False
# expect: 'NoExit' object does not support the context manager protocol (missed __exit__ method)
# expect: 'NoEnter' object does not support the context manager protocol
# expect: x <class '__main__.A'>
# expect: yyy
# expect: None No module named 'nothing_here' ("No module named 'nothing_here'",)
# expect: os
# expect: exception causes must derive from BaseException
# expect: calling <class '__main__.WE'> should have returned an instance of BaseException, not <class 'int'>
# expect:
# expect: note must be a str, not 'int'
# expect: exception cause must be None or derive from BaseException
# expect: exception context must be None or derive from BaseException
# expect: ValueError("invalid literal for int() with base 10: 'x'") None
# expect: None
# expect: ZeroDivisionError('division by zero')
# expect: {1: 2} True True {frozenset({1})}
# expect: set()
# expect: set()
# expect: KeyError({2})
# expect: list() takes no keyword arguments
# expect: tuple() takes no keyword arguments
# expect: set() takes no keyword arguments
# expect: frozenset() takes no keyword arguments
# expect: NoneType ['Hashable']
# expect: int ['Hashable']
# expect: str ['Hashable', 'Iterable', 'Sized', 'Container', 'Collection', 'Sequence', 'Reversible']
# expect: bytes ['Hashable', 'Iterable', 'Sized', 'Container', 'Collection', 'Sequence', 'Reversible']
# expect: list ['Iterable', 'Sized', 'Container', 'Collection', 'Sequence', 'MutableSequence', 'Reversible']
# expect: tuple ['Hashable', 'Iterable', 'Sized', 'Container', 'Collection', 'Sequence', 'Reversible']
# expect: dict ['Iterable', 'Sized', 'Container', 'Collection', 'Mapping', 'MutableMapping', 'Reversible']
# expect: set ['Iterable', 'Sized', 'Container', 'Collection', 'Set', 'MutableSet']
# expect: builtin_function_or_method ['Callable', 'Hashable']
# expect: type ['Callable', 'Hashable']
# expect: builtin_function_or_method ['Callable', 'Hashable']
# expect: function ['Callable', 'Hashable']
# expect: dict_keys ['Iterable', 'Sized', 'Container', 'Collection', 'Set', 'Reversible', 'KeysView']
# expect: dict_values ['Hashable', 'Iterable', 'Sized', 'Container', 'Collection', 'Reversible', 'ValuesView']
# expect: range ['Hashable', 'Iterable', 'Sized', 'Container', 'Collection', 'Sequence', 'Reversible']
# expect: bytearray ['Iterable', 'Sized', 'Container', 'Collection', 'Sequence', 'MutableSequence', 'Reversible']
# expect: deque ['Iterable', 'Sized', 'Container', 'Collection', 'Sequence', 'MutableSequence', 'Reversible']
# expect: OrderedDict ['Iterable', 'Sized', 'Container', 'Collection', 'Mapping', 'MutableMapping', 'Reversible']
# expect: UserDict ['Iterable', 'Sized', 'Container', 'Collection', 'Mapping', 'MutableMapping']
# expect: Counter ['Iterable', 'Sized', 'Container', 'Collection', 'Mapping', 'MutableMapping', 'Reversible']
# expect: generator ['Hashable', 'Iterable', 'Iterator', 'Generator']
# expect: object ['Hashable']
# expect: U ('map', {'b': 2})
# expect: S ('seq', 7, [8, 9])
# expect: M ('map', {})
# expect: deque ('seq', 1, [2])
# expect: range ('seq', 0, [1, 2])
# expect: str other
# expect: bytes other
# expect: bytearray other
# expect: set other
# expect: UserList ('seq', 1, [2])
# expect: OrderedDict ('map', {})
# expect: ChainMap ('map', {})
# expect: Counter ('map', {})
# expect: Counter() Counter({'a': 3}) ChainMap({1: 2, 3: 4})
# expect: g g
# expect: ['ValueError: v\n', '42\n']
# expect: ['ValueError: v\n', '1\n', 'x\n', 'None\n']
# expect: ['ValueError: v\n', "'text'\n"]
# expect: ['ValueError: v\n', 'a\n']
# expect: ['ValueError: v\n']
