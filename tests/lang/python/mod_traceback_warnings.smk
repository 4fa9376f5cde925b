# traceback and warnings. Names of files differ from run to run, so they are taken out.
import io
import re
import sys
import traceback
import warnings


def shown(text):
    print(re.sub(r'File ".*?"', "File", text), end="")


def inner(x):
    raise ValueError("bad %d" % x)


def outer(x):
    return inner(x)


try:
    outer(3)
except ValueError as e:
    shown(traceback.format_exc())
    frames = traceback.extract_tb(e.__traceback__)
    print([(f.name, f.line) for f in frames])
    print(traceback.format_exception_only(e), traceback.format_exception_only(type(e), e))
    print(len(traceback.format_tb(e.__traceback__)), len(traceback.format_tb(e.__traceback__, 1)))
    print(e.__traceback__.tb_lineno, e.__traceback__.tb_next.tb_next.tb_lineno, e.__traceback__.tb_next.tb_next.tb_next)
    print(sys.exc_info()[2] is not None, e.__traceback__.tb_frame.f_code.co_name)
# expect: Traceback (most recent call last):
# expect:   File, line 22, in <module>
# expect:     outer(3)
# expect:   File, line 18, in outer
# expect:     return inner(x)
# expect:            ^^^^^^^^
# expect:   File, line 14, in inner
# expect:     raise ValueError("bad %d" % x)
# expect: ValueError: bad 3
# expect: [('<module>', 'outer(3)'), ('outer', 'return inner(x)'), ('inner', 'raise ValueError("bad %d" % x)')]
# expect: ['ValueError: bad 3\n'] ['ValueError: bad 3\n']
# expect: 3 1
# expect: 22 14 None
# expect: True <module>


class Own(Exception):
    pass


try:
    try:
        inner(1)
    except ValueError as e:
        raise Own() from e
except Own as e:
    e.add_note("look here\nand there")
    shown("".join(traceback.format_exception(e)))
    shown("".join(traceback.format_exception(e, chain=False)))
# expect: Traceback (most recent call last):
# expect:   File, line 53, in <module>
# expect:     inner(1)
# expect:   File, line 14, in inner
# expect:     raise ValueError("bad %d" % x)
# expect: ValueError: bad 1
# expect: 
# expect: The above exception was the direct cause of the following exception:
# expect: 
# expect: Traceback (most recent call last):
# expect:   File, line 55, in <module>
# expect:     raise Own() from e
# expect: Own
# expect: look here
# expect: and there
# expect: Traceback (most recent call last):
# expect:   File, line 55, in <module>
# expect:     raise Own() from e
# expect: Own
# expect: look here
# expect: and there
try:
    try:
        inner(2)
    except ValueError:
        raise KeyError("k")
except KeyError as e:
    out = io.StringIO()
    traceback.print_exc(file=out)
    shown(out.getvalue())
# expect: Traceback (most recent call last):
# expect:   File, line 83, in <module>
# expect:     inner(2)
# expect:   File, line 14, in inner
# expect:     raise ValueError("bad %d" % x)
# expect: ValueError: bad 2
# expect: 
# expect: During handling of the above exception, another exception occurred:
# expect: 
# expect: Traceback (most recent call last):
# expect:   File, line 85, in <module>
# expect:     raise KeyError("k")
# expect: KeyError: 'k'


def deep(n):
    if n:
        deep(n - 1)
    raise OSError(2, "gone", "f")


try:
    deep(6)
except OSError as e:
    shown("".join(traceback.format_exception(e)))
# expect: Traceback (most recent call last):
# expect:   File, line 112, in <module>
# expect:     deep(6)
# expect:   File, line 107, in deep
# expect:     deep(n - 1)
# expect:   File, line 107, in deep
# expect:     deep(n - 1)
# expect:   File, line 107, in deep
# expect:     deep(n - 1)
# expect:   [Previous line repeated 3 more times]
# expect:   File, line 108, in deep
# expect:     raise OSError(2, "gone", "f")
# expect: FileNotFoundError: [Errno 2] gone: 'f'
print(traceback.format_exc(), end="")  # expect: NoneType: None


def here():
    return [f.name for f in traceback.extract_stack()][-2:]


print(here())  # expect: ['<module>', 'here']

with warnings.catch_warnings(record=True) as log:
    warnings.simplefilter("always")
    warnings.warn("old", DeprecationWarning)
    warnings.warn("two")
    warnings.warn(RuntimeWarning("three"))
    print([(w.category.__name__, str(w.message), w.lineno) for w in log])  # expect: [('DeprecationWarning', 'old', 139), ('UserWarning', 'two', 140), ('RuntimeWarning', 'three', 141)]
with warnings.catch_warnings(record=True) as log:
    for i in range(3):
        warnings.warn("once a place")
        warnings.warn("number %d" % i)
    print(len(log))  # expect: 4
with warnings.catch_warnings():
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", message="quiet.*", category=UserWarning)
    warnings.warn("Quiet please")
    try:
        warnings.warn("loud")
    except UserWarning as e:
        print("raised", e)  # expect: raised loud


def old():
    warnings.warn("call new()", FutureWarning, stacklevel=2)


with warnings.catch_warnings():
    warnings.showwarning = lambda message, category, filename, lineno, file=None, line=None: print(category.__name__, message, lineno)
    old()  # expect: FutureWarning call new() 164
print(warnings.formatwarning("m", UserWarning, "f.py", 3, "x = 1"), end="")
# expect: f.py:3: UserWarning: m
# expect:   x = 1
for wrong in (lambda: warnings.warn("x", int), lambda: warnings.simplefilter("nope")):
    try:
        wrong()
    except (TypeError, AssertionError) as e:
        print(type(e).__name__, e)
# expect: TypeError category must be a Warning subclass, not 'type'
# expect: AssertionError invalid action: 'nope'
