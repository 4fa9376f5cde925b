from tempfile import TemporaryFile, NamedTemporaryFile
import csv
from collections import OrderedDict
with TemporaryFile("w+", encoding="utf-8", newline='') as f:
    f.write("a,b\r\n1,2\r\n")
    f.seek(0)
    print(f.readline(), f.tell())
with open("x1", "w+", newline="") as f:
    f.write("a,b\r\n1,2\r\n")
    f.seek(0)
    print(repr(f.read()))
    f.seek(0)
    print(list(csv.reader(f)))
with NamedTemporaryFile("w+") as f:
    f.write("abc"); f.seek(0); print(f.read())
with NamedTemporaryFile("w+") as f:
    f.write("one\n")
    f.flush()
    with open(f.name, "r+") as g:
        print(g.read(2))
        g.seek(1)
        g.write("ZZ")
        g.seek(0)
        print(g.read())
with TemporaryFile() as f:
    f.write(b"bytes")
    f.seek(1)
    print(f.read())
print(OrderedDict(a=1), OrderedDict(), OrderedDict([(1, 2)]))
import textwrap
print(textwrap.wrap('Did you say "supercalifragilisticexpialidocious?" How', 12))
try: textwrap.wrap("hello there", width=3, max_lines=1)
except ValueError as e: print(e)
try: textwrap.shorten("hello there", width=3)
except ValueError as e: print(e)
print(textwrap.wrap("We used enyzme 2-succinyl-6-hydroxy-2,4-cyclohexadiene-1-carboxylate synthase.", 50))
w = csv.DictWriter(__import__("io").StringIO(), ["a"])
try: w.writerow({"b": 1})
except ValueError as e: print(e)
from string import Template
try: Template("$").substitute()
except ValueError as e: print(e)
try: print(Template("$a ${ x").is_valid(), Template("$a ${b} $$").get_identifiers())
except ValueError as e: print(e)
import copy
print(copy.copy(bytearray(b"a")), copy.deepcopy(bytearray(b"b")))

# expect: a,b
# expect:  5
# expect: 'a,b\r\n1,2\r\n'
# expect: [['a', 'b'], ['1', '2']]
# expect: abc
# expect: on
# expect: oZZ
# expect:
# expect: b'ytes'
# expect: OrderedDict({'a': 1}) OrderedDict() OrderedDict({1: 2})
# expect: ['Did you say ', '"supercalifr', 'agilisticexp', 'ialidocious?', '" How']
# expect: placeholder too large for max width
# expect: placeholder too large for max width
# expect: ['We used enyzme 2-succinyl-6-hydroxy-2,4-', 'cyclohexadiene-1-carboxylate synthase.']
# expect: dict contains fields not in fieldnames: 'b'
# expect: Invalid placeholder in string: line 1, col 1
# expect: False ['a', 'b']
# expect: bytearray(b'a') bytearray(b'b')
