# io: files in memory.
import io

f = io.StringIO()
print(f.write("ab\n"), f.write("cä"), f.tell(), repr(f.getvalue()))  # expect: 3 2 5 'ab\ncä'
print(f.seek(0), f.readline() + "|", f.read(1), f.read(), repr(f.read()))
# expect: 0 ab
# expect: | c ä ''
print(f.seek(1), f.write("XY"), repr(f.getvalue()), f.tell())  # expect: 1 2 'aXYcä' 3
print(f.seek(0, 2), f.truncate(2), repr(f.getvalue()), f.write("z"), repr(f.getvalue()))  # expect: 5 2 'aX' 1 'aX\x00\x00\x00z'
g = io.StringIO("one\ntwo\r\nthree")
print(list(g), g.readlines(), g.readable(), g.writable(), g.seekable(), g.isatty(), g.closed)  # expect: ['one\n', 'two\r\n', 'three'] [] True True True False False
print(io.StringIO("a\nb\nc\n").readlines(3), io.StringIO("line\n").readline(2))  # expect: ['a\n', 'b\n'] li
print(repr(io.StringIO("a\r\nb\rc", newline=None).read()), io.StringIO("a\nb", newline="\r\n").getvalue().encode())  # expect: 'a\nb\nc' b'a\r\nb'
h = io.StringIO()
print("x", 1, sep="-", end="!", file=h)
h.writelines(["p", "q"])
print(h.getvalue())  # expect: x-1!pq
h.write("r" * 1000)
for i in range(2000):
    h.write("%d," % i)
print(len(h.getvalue()))  # expect: 9896
with io.StringIO("text") as k:
    print(k.read(2))  # expect: te
print(k.closed)  # expect: True
b = io.BytesIO(b"ab\ncd")
print(b.readline(), b.read(1), b.tell(), b.seek(-1, 2), b.read(), b.getvalue())  # expect: b'ab\n' b'c' 4 4 b'd' b'ab\ncd'
print(b.write(b"ef"), b.getvalue(), list(io.BytesIO(b"x\ny")), bytes(b.getbuffer()))  # expect: 2 b'ab\ncdef' [b'x\n', b'y'] b'ab\ncdef'
t = io.TextIOWrapper(io.BytesIO("ä\r\nb\n".encode()), encoding="utf-8")
print([line for line in t])  # expect: ['ä\n', 'b\n']
raw = io.BytesIO()
w = io.TextIOWrapper(raw, encoding="latin-1", newline="\n")
w.write("é\n")
w.flush()
print(raw.getvalue())  # expect: b'\xe9\n'
print(isinstance(f, io.StringIO), isinstance(f, io.TextIOBase), isinstance(b, io.IOBase), isinstance(b, io.TextIOBase))  # expect: True True True False
for wrong in (
    lambda: f.write(3),
    lambda: io.StringIO(3),
    lambda: io.StringIO("", newline="x"),
    lambda: f.seek(-1),
    lambda: f.seek(1, 1),
    lambda: f.seek(0, 5),
    lambda: f.truncate(-1),
    lambda: k.read(),
    lambda: k.write("x"),
    lambda: k.getvalue(),
    lambda: iter(k),
    lambda: b.write("x"),
    lambda: io.BytesIO("x"),
    lambda: b.seek(-1),
    lambda: f.fileno(),
    lambda: f.read("x"),
):
    try:
        print(wrong())
    except Exception as e:
        print(type(e).__name__, e)
# expect: TypeError string argument expected, got 'int'
# expect: TypeError initial_value must be str or None, not int
# expect: ValueError illegal newline value: 'x'
# expect: ValueError Negative seek position -1
# expect: OSError Can't do nonzero cur-relative seeks
# expect: ValueError Invalid whence (5, should be 0, 1 or 2)
# expect: ValueError Negative size value -1
# expect: ValueError I/O operation on closed file
# expect: ValueError I/O operation on closed file
# expect: ValueError I/O operation on closed file
# expect: ValueError I/O operation on closed file.
# expect: TypeError a bytes-like object is required, not 'str'
# expect: TypeError a bytes-like object is required, not 'str'
# expect: ValueError negative seek value -1
# expect: UnsupportedOperation fileno
# expect: TypeError argument should be integer or None, not 'str'


class Tee(io.StringIO):
    def write(self, text):
        super().write(text.upper())
        return len(text)


tee = Tee()
tee.label = "t"
print("shout", file=tee)
print(tee.getvalue().strip(), tee.label)  # expect: SHOUT t
