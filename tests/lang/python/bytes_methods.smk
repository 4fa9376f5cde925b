def tell(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        print(type(e).__name__, e)


for b in (b"Hello wORLD", b"", b"12", b"a\xe4B", b" \t", bytearray(b"Title Case")):
    print([getattr(b, name)() for name in ("isalpha", "isalnum", "isdigit", "isspace", "isascii", "isupper", "islower",
                                           "istitle", "swapcase", "title", "capitalize")])
b = b"a,b,,c"
print(b.partition(b","), b.rpartition(b","), b.partition(b"x"), b.rpartition(b"x"), bytearray(b).rpartition(b","))
print(b.rsplit(b",", 1), b.rsplit(b","), b"  a  b c ".rsplit(None, 1), b" a b ".rsplit(), b"".rsplit(), b" x ".rsplit(None, 0))
print(b.ljust(9, b"."), b.rjust(9), b.center(9, b"*"), b"ab".center(5), b"-5".zfill(4), b"5".zfill(0), b"a\tb\n\t".expandtabs(4))
print(b.removeprefix(b"a,"), b.removesuffix(b"c"), b.removesuffix(b"x"))
table = bytes.maketrans(b"abc", b"xyz")
print(b.translate(table, b","), b.translate(None, delete=b"a"), len(table), bytearray(b).translate(table))
print(b.find(44), b.count(b",", 2), b.count(44), b.count(b"", 2, 4), b.rindex(b","), b.startswith(b"b", 2), b.endswith((b"x", b"b"), 0, 3))
print(b"ab".replace(b"", b"-"), b"ab".replace(b"", b"-", 2), b"\x01\x02\x03".hex("-"), b"\x01\x02\x03".hex(":", 2), b"\x01\x02\x03".hex(b":", -2))
for bad in (lambda: b.partition(b""), lambda: b.ljust(9, b"ab"), lambda: b.translate(b"x"), lambda: b.find("a"), lambda: b.find(256),
            lambda: b.rindex(b"x"), lambda: b.hex("ab"), lambda: bytes.maketrans(b"a", b""), lambda: b * 2**70,
            lambda: len(b * 10**15), lambda: len(bytes(10**15)), lambda: "a\t".expandtabs(10**12)):
    try:
        print(bad())
    except MemoryError:
        print("MemoryError")
    except Exception as e:
        print(type(e).__name__, e)
print({}.fromkeys("ab", 1), type(type("D", (dict,), {}).fromkeys("a")).__name__)
try:
    format(1, "10000000000000")
except MemoryError:
    print("MemoryError")

# expect: [False, False, False, False, True, False, False, False, b'hELLO World', b'Hello World', b'Hello world']
# expect: [False, False, False, False, True, False, False, False, b'', b'', b'']
# expect: [False, True, True, False, True, False, False, False, b'12', b'12', b'12']
# expect: [False, False, False, False, False, False, False, False, b'A\xe4b', b'A\xe4B', b'A\xe4b']
# expect: [False, False, False, True, True, False, False, False, b' \t', b' \t', b' \t']
# expect: [False, False, False, False, True, False, False, True, bytearray(b'tITLE cASE'), bytearray(b'Title Case'), bytearray(b'Title case')]
# expect: (b'a', b',', b'b,,c') (b'a,b,', b',', b'c') (b'a,b,,c', b'', b'') (b'', b'', b'a,b,,c') (bytearray(b'a,b,'), bytearray(b','), bytearray(b'c'))
# expect: [b'a,b,', b'c'] [b'a', b'b', b'', b'c'] [b'  a  b', b'c'] [b'a', b'b'] [] [b' x']
# expect: b'a,b,,c...' b'   a,b,,c' b'**a,b,,c*' b'  ab ' b'-005' b'5' b'a   b\n    '
# expect: b'b,,c' b'a,b,,' b'a,b,,c'
# expect: b'xyz' b',b,,c' 256 bytearray(b'x,y,,z')
# expect: 1 2 3 3 4 True True
# expect: b'-a-b-' b'-a-b' 01-02-03 01:0203 0102:03
# expect: ValueError empty separator
# expect: TypeError ljust() argument 2 must be a byte string of length 1, not bytes
# expect: ValueError translation table must be 256 characters long
# expect: TypeError argument should be integer or bytes-like object, not 'str'
# expect: ValueError byte must be in range(0, 256)
# expect: ValueError subsection not found
# expect: ValueError sep must be length 1.
# expect: ValueError maketrans arguments must have same length
# expect: OverflowError cannot fit 'int' into an index-sized integer
# expect: MemoryError
# expect: MemoryError
# expect: OverflowError Python int too large to convert to C int
# expect: {'a': 1, 'b': 1} D
# expect: MemoryError
