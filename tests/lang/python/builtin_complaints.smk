# Small numbers and texts that do not fit, in Python's words.
def tell(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
tell(lambda: bytearray(b"a")[5]) # expect: IndexError bytearray index out of range
tell(lambda: bytearray(b"ab")[-1]) # expect: 98
tell(lambda: bytearray(b"abc")[1:]) # expect: bytearray(b'bc')
tell(lambda: ord(bytearray(b"a"))) # expect: 97
tell(lambda: int(b"x,y", 0)) # expect: ValueError invalid literal for int() with base 0: b'x,y'
tell(lambda: chr(2 ** 31)) # expect: OverflowError Python int too large to convert to C int
tell(lambda: bytes.fromhex(1)) # expect: TypeError fromhex() argument must be str, not int
tell(lambda: bytes.fromhex("\0")) # expect: ValueError non-hexadecimal number found in fromhex() arg at position 0
tell(lambda: pow("a", 1, 2)) # expect: TypeError unsupported operand type(s) for ** or pow(): 'str', 'int', 'int'
tell(lambda: "a".removeprefix(1)) # expect: TypeError removeprefix() argument must be str, not int
tell(lambda: int.from_bytes("a", "big")) # expect: TypeError cannot convert 'str' object to bytes
def outer():
    return next((lambda: item).__qualname__ for item in [1])
print(outer()) # expect: outer.<locals>.<genexpr>.<lambda>
tell(lambda: int[0]) # expect: TypeError type 'int' is not subscriptable
tell(lambda: [list[int], tuple[str, ...]]) # expect: [list[int], tuple[str, ...]]
