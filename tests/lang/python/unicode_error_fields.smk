# Errors of encoding and decoding say what they are about in attributes, of which their text is made.
try:
    b"ab\xffc".decode()
except UnicodeDecodeError as e:
    print(e.encoding, e.object, e.start, e.end, e.reason)  # expect: utf-8 b'ab\xffc' 2 3 invalid start byte
    print(e)  # expect: 'utf-8' codec can't decode byte 0xff in position 2: invalid start byte
    print(e.args)  # expect: ('utf-8', b'ab\xffc', 2, 3, 'invalid start byte')
    e.start, e.reason = 0, "why"
    print(e)  # expect: 'utf-8' codec can't decode bytes in position 0-2: why
try:
    "a€€b".encode("latin1")
except UnicodeEncodeError as e:
    print(e.object[e.start : e.end])  # expect: €€
    print(repr(e))  # expect: UnicodeEncodeError('latin-1', 'a€€b', 1, 3, 'ordinal not in range(256)')
for codec, text in (("cp1252", "ab\u0100"), ("ascii", "é"), ("utf-16", "\ud800")):
    try:
        text.encode(codec)
    except UnicodeError as e:
        print(e.encoding, e.start, e.end, "|", e)
    # expect: charmap 2 3 | 'charmap' codec can't encode character '\u0100' in position 2: character maps to <undefined>
    # expect: ascii 0 1 | 'ascii' codec can't encode character '\xe9' in position 0: ordinal not in range(128)
    # expect: utf-16 0 1 | 'utf-16' codec can't encode character '\ud800' in position 0: surrogates not allowed
print(UnicodeTranslateError("abc", 1, 2, "r"))  # expect: can't translate character '\x62' in position 1: r
print(UnicodeDecodeError("u8", b"abc", 1, 3, "r"), "|", UnicodeError("a", 1))  # expect: 'u8' codec can't decode bytes in position 1-2: r | ('a', 1)
for make in (lambda: UnicodeDecodeError("a"), lambda: UnicodeEncodeError("a", b"b", 1, 2, "c")):
    try:
        make()
    except TypeError as e:
        print(e)
    # expect: function takes exactly 5 arguments (1 given)
    # expect: argument 2 must be str, not bytes
