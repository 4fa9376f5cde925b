# % of bytes takes bytes and numbers.
print(b"%d %s %x|%5d|%-5d|%05d" % (3, b"ab", 255, 1, 2, 3), b"%5.1f|%e|%g" % (2.25, 1.5, 1e-9))
# expect: b'3 ab ff|    1|2    |00003' b'  2.2|1.500000e+00|1e-09'
print(b"%(a)s-%(b)d" % {b"a": b"q", b"b": 4}, b"%%" % (), b"%c%c" % (65, b"z"), b"%b" % b"z", b"%s" % bytearray(b"m"))
# expect: b'q-4' b'%' b'Az' b'z' b'm'
print(b"%r %a" % ("é", [1]), b"%8s|%-8s|%.2s|%*d" % (b"ab", b"cd", b"xyz", 4, 7), bytearray(b"<%d>") % 5)
# expect: b"'\\xe9' [1]" b'      ab|cd      |xy|   7' bytearray(b'<5>')


class Own:
    def __bytes__(self):
        return b"own"


print(b"%s" % Own(), b"\xff%s\x00" % b"\xfe")  # expect: b'own' b'\xff\xfe\x00'
for wrong in (lambda: b"%s" % "text", lambda: b"%d" % b"1", lambda: b"%c" % 256, lambda: b"%c" % b"ab",
              lambda: b"%d" % (1, 2),
              lambda: b"%d %d" % 1, lambda: b"%(a)s" % 1, lambda: b"%y" % 1, lambda: b"%d" % (), lambda: b"a" % b"b"):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
        # expect: TypeError %b requires a bytes-like object, or an object that implements __bytes__, not 'str'
        # expect: TypeError %d format: a real number is required, not bytes
        # expect: OverflowError %c arg not in range(256)
        # expect: TypeError %c requires an integer in range(256) or a single byte
        # expect: TypeError not all arguments converted during bytes formatting
        # expect: TypeError not enough arguments for format string
        # expect: TypeError format requires a mapping
        # expect: ValueError unsupported format character 'y' (0x79) at index 1
        # expect: TypeError not enough arguments for format string
        # expect: TypeError not all arguments converted during bytes formatting
