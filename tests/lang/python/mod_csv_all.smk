# csv: reading, writing, dialects, dicts, errors.
import csv
import io
import sys

text = 'a,"b ""q"" b",c\r\n1,"two\nlines",\r\n\r\n"",x y,\'z\'\r\n'
r = csv.reader(io.StringIO(text, newline=""))
for row in r:
    print(row, r.line_num)
# expect: ['a', 'b "q" b', 'c'] 1
# expect: ['1', 'two\nlines', ''] 3
# expect: [] 4
# expect: ['', 'x y', "'z'"] 5
print(list(csv.reader(["a; b;'c;d'"], delimiter=";", quotechar="'", skipinitialspace=True)))  # expect: [['a', 'b', 'c;d']]
print(list(csv.reader(["1,'x',2.5"], quotechar="'", quoting=csv.QUOTE_NONNUMERIC)))  # expect: [[1.0, 'x', 2.5]]
print(list(csv.reader(['a"b,c\\,d'], quoting=csv.QUOTE_NONE, escapechar="\\")))  # expect: [['a"b', 'c,d']]
print(list(csv.reader(["ä\tö"], "excel-tab")), list(csv.reader(["äéö"], delimiter="é")))  # expect: [['ä', 'ö']] [['ä', 'ö']]
print(list(csv.reader('x,"never closed\n'.splitlines(True))))  # expect: [['x', 'never closed\n']]


def write(*rows, **options):
    f = io.StringIO()
    csv.writer(f, **options).writerows(rows)
    return f.getvalue()


print(repr(write([1, "a", None, 2.5, True], ["x,y", 'say "hi"', "", "l\nl"])))  # expect: '1,a,,2.5,True\r\n"x,y","say ""hi""",,"l\nl"\r\n'
print(repr(write([""], [None], []) + write(["a b", 1], quoting=csv.QUOTE_ALL)))  # expect: '""\r\n""\r\n\r\n"a b","1"\r\n'
print(repr(write(["a", 1, 2.5, None], quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")))  # expect: '"a",1,2.5,""\n'
print(repr(write(['a"b', "c,d"], quoting=csv.QUOTE_NONE, escapechar="\\", lineterminator="\n")))  # expect: 'a\\"b,c\\,d\n'
print(repr(write(['a"b'], doublequote=False, escapechar="\\", lineterminator="\n")))  # expect: 'a\\"b\n'
print(repr(write(iter(["g", 0]), dialect="unix")))  # expect: '"g","0"\n'
print(csv.writer(sys.stdout, lineterminator="\n").writerow(["ä", 1]))
# expect: ä,1
# expect: 4

d = csv.DictReader(io.StringIO("sample\tunit\nA\t1\nB\nC\t3\tmore\n\nD\t4\n"), delimiter="\t", restkey="rest", restval="-")
print(d.fieldnames)  # expect: ['sample', 'unit']
for row in d:
    print(row, d.line_num)
# expect: {'sample': 'A', 'unit': '1'} 2
# expect: {'sample': 'B', 'unit': '-'} 3
# expect: {'sample': 'C', 'unit': '3', 'rest': ['more']} 4
# expect: {'sample': 'D', 'unit': '4'} 6
print(list(csv.DictReader(["1,2"], fieldnames=["a", "b"])), list(csv.DictReader([])))  # expect: [{'a': '1', 'b': '2'}] []
f = io.StringIO()
w = csv.DictWriter(f, ["x", "y"], restval="?", lineterminator="\n")
w.writeheader()
w.writerows([{"x": 1, "y": 2}, {"x": 3}])
print(repr(f.getvalue()))  # expect: 'x,y\n1,2\n3,?\n'
csv.DictWriter(f, ["x"], extrasaction="ignore").writerow({"x": 1, "z": 2})


class Semicolon(csv.excel):
    delimiter = ";"
    lineterminator = "\n"


csv.register_dialect("semi", Semicolon)
csv.register_dialect("pipe", delimiter="|")
print(list(csv.reader(["a;b|c"], "semi")), list(csv.reader(["a;b|c"], dialect="pipe")), csv.list_dialects())  # expect: [['a', 'b|c']] [['a;b', 'c']] ['excel', 'excel-tab', 'unix', 'semi', 'pipe']
print(csv.get_dialect("semi").delimiter, csv.reader([], "pipe").dialect.delimiter)  # expect: ; |
csv.unregister_dialect("pipe")
print(csv.field_size_limit())  # expect: 131072
found = csv.Sniffer().sniff("name;age\nann;3\nbob;4\n")
print(found.delimiter, csv.Sniffer().has_header("name,age\nann,3\nbob,4\n"))  # expect: ; True


class Bare(csv.Dialect):
    delimiter = ";"


for wrong in (
    lambda: list(csv.reader([], "pipe")),
    lambda: csv.reader([], delimiter="ab"),
    lambda: csv.reader([], delimiter=None),
    lambda: csv.reader([], nope=1),
    lambda: csv.reader([], quoting=7),
    lambda: Bare(),
    lambda: list(csv.reader([b"x"])),
    lambda: list(csv.reader(3)),
    lambda: list(csv.reader(["a\rb"])),
    lambda: list(csv.reader(['"a"b'], strict=True)),
    lambda: list(csv.reader(['"a'], strict=True)),
    lambda: list(csv.reader(["x,1"], quoting=csv.QUOTE_NONNUMERIC)),
    lambda: csv.writer(3),
    lambda: csv.writer(f).writerow(3),
    lambda: csv.writer(f, quoting=csv.QUOTE_NONE).writerow(["a,b"]),
    lambda: csv.writer(f, quoting=csv.QUOTE_NONE).writerow([""]),
    lambda: csv.DictWriter(f, ["x"]).writerow({"x": 1, "z": 2}),
    lambda: csv.DictWriter(f, ["x"], extrasaction="no"),
):
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
# expect: Error unknown dialect
# expect: TypeError "delimiter" must be a 1-character string
# expect: TypeError "delimiter" must be string, not NoneType
# expect: TypeError 'nope' is an invalid keyword argument for this function
# expect: TypeError bad "quoting" value
# expect: Error "quoting" must be an integer
# expect: Error iterator should return strings, not bytes (the file should be opened in text mode)
# expect: TypeError 'int' object is not iterable
# expect: Error new-line character seen in unquoted field - do you need to open the file in universal-newline mode?
# expect: Error ',' expected after '"'
# expect: Error unexpected end of data
# expect: ValueError could not convert string to float: 'x'
# expect: TypeError argument 1 must have a "write" method
# expect: Error iterable expected, not int
# expect: Error need to escape, but no escapechar set
# expect: Error single empty field record must be quoted
# expect: ValueError dict contains fields not in fieldnames: 'z'
# expect: ValueError extrasaction (no) must be 'raise' or 'ignore'

# Quotes around strings alone, and around all but None; readers treat both as QUOTE_MINIMAL.
for quoting in (csv.QUOTE_STRINGS, csv.QUOTE_NOTNULL):
    for row in (["a", 1, 1.5, None, "", 'q"', True], [None], [None, None], [""], [1]):
        out = io.StringIO()
        csv.writer(out, quoting=quoting).writerow(row)
        print(quoting, repr(out.getvalue()))
    print(list(csv.reader(['a,1,"2",,""'], quoting=quoting)))
try:
    csv.writer(io.StringIO(), quoting=6)
except TypeError as e:
    print(e)

# expect: 4 '"a",1,1.5,,"","q""",True\r\n'
# expect: 4 '""\r\n'
# expect: 4 ',\r\n'
# expect: 4 '""\r\n'
# expect: 4 '1\r\n'
# expect: [['a', '1', '2', '', '']]
# expect: 5 '"a","1","1.5",,"","q""","True"\r\n'
# expect: 5 '""\r\n'
# expect: 5 ',\r\n'
# expect: 5 '""\r\n'
# expect: 5 '"1"\r\n'
# expect: [['a', '1', '2', '', '']]
# expect: bad "quoting" value
