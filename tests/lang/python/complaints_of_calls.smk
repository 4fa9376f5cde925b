# What calls and assignments complain about, in CPython's words.
def says(act, *args, **named):
    try:
        print(act(*args, **named))
    except Exception as e:
        print(e)


def one(p): pass


says(one, 1, 2, z=3)  # expect: one() got an unexpected keyword argument 'z'
says(one, 1, 2, p=3)  # expect: one() got multiple values for argument 'p'
says(divmod, 1)  # expect: divmod expected 2 arguments, got 1
says(getattr, 1)  # expect: getattr expected at least 2 arguments, got 1
says("a".replace, "a")  # expect: replace expected at least 2 arguments, got 1
says([].insert, 1)  # expect: insert expected 2 arguments, got 1
says(dict.fromkeys)  # expect: fromkeys expected at least 1 argument, got 0
says(len, x=1)  # expect: len() takes no keyword arguments
says([].append, x=1)  # expect: list.append() takes no keyword arguments
says(max, [])  # expect: max() iterable argument is empty
says(lambda: [1] * 10**30)  # expect: cannot fit 'int' into an index-sized integer
says(lambda: 10**30 * (1,))  # expect: cannot fit 'int' into an index-sized integer
says([1].__setitem__, slice(1), 5)  # expect: can only assign an iterable
says([1].__setitem__, slice(None, None, 2), 5)  # expect: must assign iterable to extended slice

from pathlib import Path
import csv, io
print(Path("//x").parent, Path("//x/y").parent, Path("/x").parent)  # expect: // //x /
f = io.StringIO()
csv.writer(f, quoting=csv.QUOTE_NONNUMERIC).writerow([1j, "a", 2.5])
print(f.getvalue().strip())  # expect: 1j,"a",2.5

# Found by tools/random_programs.py.
import json, os.path
print(json.dumps({3}, default=str), json.dumps([{1.5}], default=lambda v: repr([v])))  # expect: "{3}" ["[{1.5}]"]
says(lambda: [].__setitem__(slice(-1, -1, 2), [1]))  # expect: attempt to assign sequence of size 1 to extended slice of size 0
print("ǅ".swapcase(), "ΑΣ ΑΣΑ".swapcase(), "aǅÉ".swapcase())  # expect: ǅ ας ασα Aǅé
print(os.path.commonpath(["/a//b/../c"]), os.path.commonpath(["a/./b", "a/b/../d"]), os.path.commonpath(["//a/", "/a/b"]))
# expect: /a/b/../c a/b /a
says(lambda: 10**30 in b"a")  # expect: byte must be in range(0, 256)
d = {}
says(lambda: d.__imul__)  # expect: 'dict' object has no attribute '__imul__'
try:
    d *= "a"
except TypeError as e:
    print(e)  # expect: unsupported operand type(s) for *=: 'dict' and 'str'
