// SPDX-License-Identifier: MIT
#include "test.h"

#include "run.h"

/* What CPython 3.11 gives for each. */
static const struct {
    const char *what, *text, *want;
} cases[] = {
    {"defaults, *args and **kwargs",
     "def f(a, b=2, *r, c=3, **k): return [a, b, r, c, k]\nresult = [f(1), f(1, 5, 6, c=9, d=4)]",
     "[[1, 2, (), 3, {}], [1, 5, (6,), 9, {'d': 4}]]"},
    {"closures share a cell",
     "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    "
     "return g\n"
     "g = f()\nresult = [g(), g()]",
     "[1, 2]"},
    {"comprehension variables are their own", "x = 1\ny = [x for x in (2, 3)]\nresult = [x, y]",
     "[1, [2, 3]]"},
    {"lambdas in a comprehension see its variable",
     "result = [f() for f in [lambda: i for i in range(3)]]", "[2, 2, 2]"},
    {"a walrus binds outside the comprehension",
     "a = [z for x in (1, 2) if (z := x * 2)]\nresult = [a, z]", "[[2, 4], 4]"},
    {"class bodies do not enclose",
     "x = 1\nclass C:\n    x = 2\n    def f(self): return x\n    y = x\nresult = [C().f(), C.y]",
     "[1, 2]"},
    {"names of a class are mangled",
     "class C:\n    def __init__(self): self.__a = 1\nresult = C().__dict__", "{'_C__a': 1}"},
    {"unpacking", "a, (b, *c), d = 1, (2, 3, 4), 5\nresult = [a, b, c, d]", "[1, 2, [3, 4], 5]"},
    {"finally runs on return, break and continue",
     "out = []\ndef f():\n    for i in range(4):\n        try:\n            if i == 1: continue\n"
     "            if i == 3: break\n            out.append(i)\n        finally:\n            "
     "out.append(-i)\n"
     "    try:\n        return out\n    finally:\n        out.append('end')\nresult = f()",
     "[0, 0, -1, 2, -2, -3, 'end']"},
    {"with swallows",
     "class C:\n    def __enter__(self): return 1\n    def __exit__(self, t, e, b): return t is "
     "KeyError\n"
     "result = 0\nwith C() as result:\n    {}['x']",
     "1"},
    {"an exception has its cause and context",
     "try:\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n        raise "
     "KeyError('k') from e\n"
     "except KeyError as f:\n    result = [repr(f.__cause__), f.__suppress_context__, str(f)]",
     "[\"ZeroDivisionError('division by zero')\", True, \"'k'\"]"},
    {"the name of an except clause is gone after it",
     "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    pass\ntry:\n    e\nexcept NameError as "
     "f:\n"
     "    result = str(f)",
     "\"name 'e' is not defined\""},
    {"bare raise goes on with the same",
     "try:\n    try:\n        raise ValueError(1)\n    except ValueError:\n        raise\n"
     "except ValueError as e:\n    result = e.args",
     "(1,)"},
    {"generators",
     "def g():\n    x = yield 1\n    yield x\n    return 3\ni = g()\nfirst = next(i)\nsecond = "
     "i.send('s')\n"
     "try:\n    next(i)\nexcept StopIteration as e:\n    result = [first, second, e.value]",
     "[1, 's', 3]"},
    {"yield from passes values and the result",
     "def a():\n    yield 1\n    return 2\ndef b():\n    r = yield from a()\n    yield r\nresult = "
     "list(b())",
     "[1, 2]"},
    {"closing a generator runs its finally",
     "result = []\ndef g():\n    try:\n        yield 1\n    finally:\n        "
     "result.append('closed')\ni = g()\n"
     "next(i)\ni.close()",
     "['closed']"},
    {"C3 order",
     "class A: pass\nclass B(A): pass\nclass C(A): pass\nclass D(B, C): pass\n"
     "result = [c.__name__ for c in D.__mro__]",
     "['D', 'B', 'C', 'A', 'object']"},
    {"super",
     "class A:\n    def f(self): return ['A']\nclass B(A):\n    def f(self): return super().f() + "
     "['B']\n"
     "result = B().f()",
     "['A', 'B']"},
    {"properties",
     "class C:\n    @property\n    def x(self): return self.v\n    @x.setter\n"
     "    def x(self, v): self.v = v * 2\nc = C()\nc.x = 4\nresult = c.x",
     "8"},
    {"a class derived from dict",
     "class D(dict):\n    def __missing__(self, k): return k + k\nd = D(a=1)\nresult = [d['a'], "
     "d['zz'], d, len(d)]",
     "[1, 'zzzz', {'a': 1}, 1]"},
    {"operators of a class",
     "class V:\n    def __add__(self, o): return ('add', o)\n    def __radd__(self, o): return "
     "('radd', o)\n"
     "    def __eq__(self, o): return o == 7\n    def __len__(self): return 0\nv = V()\n"
     "result = [v + 1, 2 + v, v == 7, v != 7, not v]",
     "[('add', 1), ('radd', 2), True, False, True]"},
    {"__getattr__ is asked last",
     "class C:\n    a = 1\n    def __getattr__(self, n): return n * 2\nresult = [C().a, C().xy]",
     "[1, 'xyxy']"},
    {"static and class methods",
     "class C:\n    @staticmethod\n    def s(x): return x\n    @classmethod\n"
     "    def c(cls, x): return (cls.__name__, x)\nclass D(C): pass\n"
     "result = [C.s(1), D().s(2), C.c(3), D().c(4)]",
     "[1, 2, ('C', 3), ('D', 4)]"},
    {"slices", "l = list(range(10))\nl[2:5] = ['x']\ndel l[::3]\nresult = [l, l[::-1], l[-2:]]",
     "[[1, 'x', 6, 7, 9], [9, 7, 6, 'x', 1], [7, 9]]"},
    {"dicts keep their order",
     "d = {i: i for i in range(20)}\nfor i in range(0, 20, 2): del d[i]\nd[0] = 'new'\nresult = "
     "list(d)",
     "[1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 0]"},
    {"match",
     "def f(x):\n    match x:\n        case [1, y, *_]: return ('seq', y)\n"
     "        case {'k': v, **rest}: return ('map', v, rest)\n        case int(n) if n > 5: return "
     "('int', n)\n"
     "        case 'a' | 'b' as s: return ('or', s)\n        case _: return None\n"
     "result = [f([1, 2, 3]), f({'k': 1, 'z': 2}), f(9), f('b'), f(2)]",
     "[('seq', 2), ('map', 1, {'z': 2}), ('int', 9), ('or', 'b'), None]"},
    {"chained comparisons evaluate once",
     "n = []\ndef f(x):\n    n.append(x)\n    return x\nresult = [f(1) < f(2) < f(3), f(1) < f(0) "
     "< f(9), n]",
     "[True, False, [1, 2, 3, 1, 0]]"},
    {"loops have else",
     "result = []\nfor i in (1, 2):\n    if i == 3: break\nelse:\n    result.append('else')\nwhile "
     "True:\n"
     "    break\nelse:\n    result.append('no')",
     "['else']"},
    {"a decorator wraps",
     "def d(f): return lambda *a: ('d', f(*a))\n@d\ndef g(x): return x + 1\nresult = g(2)",
     "('d', 3)"},
    {"sorting is stable",
     "result = sorted([(1, 'b'), (0, 'x'), (1, 'a')], key=lambda t: t[0], reverse=True)",
     "[(1, 'b'), (1, 'a'), (0, 'x')]"},
    {"sets", "result = [sorted({1, 2} | {3}), {1, 2} & {2}, {1} < {1, 2}, frozenset([1]) == {1}]",
     "[[1, 2, 3], {2}, True, True]"},
};

static const struct {
    const char *text, *want;
} errors[] = {
    {"def f(a, b): pass\nf()",
     "TypeError: f() missing 2 required positional arguments: 'a' and 'b'"},
    {"def f(a, b=1): pass\nf(1, 2, 3)",
     "TypeError: f() takes from 1 to 2 positional arguments but 3 were given"},
    {"def f(*, c): pass\nf()", "TypeError: f() missing 1 required keyword-only argument: 'c'"},
    {"def f(a): pass\nf(1, a=2)", "TypeError: f() got multiple values for argument 'a'"},
    {"(lambda: 0)(x=1)", "TypeError: <lambda>() got an unexpected keyword argument 'x'"},
    {"[].append(1, 2)", "TypeError: list.append() takes exactly one argument (2 given)"},
    {"1 + 'a'", "TypeError: unsupported operand type(s) for +: 'int' and 'str'"},
    {"1 < 'a'", "TypeError: '<' not supported between instances of 'int' and 'str'"},
    {"None.x", "AttributeError: 'NoneType' object has no attribute 'x'"},
    {"[1][3]", "IndexError: list index out of range"},
    {"{}['a']", "KeyError: 'a'"},
    {"a, b = 1, 2, 3", "ValueError: too many values to unpack (expected 2)"},
    {"a, b = 1", "TypeError: cannot unpack non-iterable int object"},
    {"{[]: 1}", "TypeError: unhashable type: 'list'"},
    {"for x in 5: pass", "TypeError: 'int' object is not iterable"},
    {"def f():\n    return x\n    x = 1\nf()",
     "UnboundLocalError: cannot access local variable 'x' where it is not associated with a value"},
    {"def f(n): return f(n + 1)\nf(0)", "RecursionError: maximum recursion depth exceeded"},
    {"x = []\nfor i in range(100000): x = [x]\nrepr(x)",
     "RecursionError: maximum recursion depth exceeded"},
    {"class C:\n    def __repr__(self): return repr([self])\nrepr(C())",
     "RecursionError: maximum recursion depth exceeded"},
    {"import nowhere.at_all", "ModuleNotFoundError: No module named 'nowhere'"},
    {"raise 5", "TypeError: exceptions must derive from BaseException"},
    {"d = {1: 1}\nfor k in d: d[k + 1] = 1",
     "RuntimeError: dictionary changed size during iteration"},
};

int main(void)
{
    struct session s;
    session_start(&s, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is(session_result(&s, cases[i].text), cases[i].want, cases[i].what);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        is(session_result(&s, errors[i].text), errors[i].want, errors[i].want);
    session_end(&s);
    return done();
}
