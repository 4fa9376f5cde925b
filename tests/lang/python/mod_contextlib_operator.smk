from operator import *
from contextlib import *
import sys
print(itemgetter(1)([1,2]), itemgetter('a','b')({'a':1,'b':2}), attrgetter('real')(3), methodcaller('upper')('ab'), add(1,2), mul('a',3), contains([1],1), itemgetter(1))
@contextmanager
def cm(x):
    print("in",x)
    try: yield x*2
    except ValueError as e: print("caught",e)
    finally: print("out")
with cm(2) as y: print(y)
with cm(3): raise ValueError("bad")
try:
    with cm(4): raise KeyError("k")
except KeyError as e: print(repr(e))
with suppress(KeyError, ValueError): {}[1]
print("after")
with nullcontext(5) as n: print(n)
with ExitStack() as st:
    a=st.enter_context(cm('s')); st.callback(print,"cb",1); print(a)
class Cl:
    def close(self): print("closed")
with closing(Cl()) as c: pass
@cm(9)
def dec(): print("body")
dec()

# expect: 2 (1, 2) 3 AB 3 aaa True operator.itemgetter(1)
# expect: in 2
# expect: 4
# expect: out
# expect: in 3
# expect: caught bad
# expect: out
# expect: in 4
# expect: out
# expect: KeyError('k')
# expect: after
# expect: 5
# expect: in s
# expect: ss
# expect: cb 1
# expect: out
# expect: closed
# expect: in 9
# expect: body
# expect: out
