# ours only
# A match keeps what it found in a bytearray that changes meanwhile (CPython refuses some of the changes).
import re
b = bytearray(b"xyz abc xyz")
m = re.search(b"abc", b)
found = list(re.finditer(b"xyz", b))
b[:] = b""
print(m.group(), found[1].group(), [f.span() for f in found])
b = bytearray(b"abcabc" * 100)


def change(m):
    b.clear()
    return m.group().upper()


print(len(re.sub(b"a", change, b)), b)

# expect: b'abc' b'xyz' [(0, 3), (8, 11)]
# expect: 600 bytearray(b'')
