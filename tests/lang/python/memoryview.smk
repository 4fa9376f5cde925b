# memoryview: a window on bytes; what is set there is set in the bytearray.
import hashlib
import os

m = memoryview(b"hello")
print(m[1], m[-1], m[1:3].tobytes(), len(m), bytes(m), m.tolist()[:2], m.nbytes, m.readonly, m == b"hello", m.hex())
# expect: 101 111 b'el' 5 b'hello' [104, 101] 5 True True 68656c6c6f
array = bytearray(b"abcdef")
view = memoryview(array)
view[0] = 122
view[2:4] = b"XY"
inner = view[1:][1:3]
inner[0] = 33
print(array, bytes(inner), inner.readonly, inner.obj is array, view[1:4] == array[1:4], list(inner), 33 in inner)
# expect: bytearray(b'zb!Yef') b'!Y' False True True [33, 89] True
print(hash(m) == hash(b"hello"), {m: 1}[b"hello"])  # expect: True 1
print(b"".join([m, inner]), bytearray(m[3:]), b"<" + m + b">", b"%s" % inner)
# expect: b'hello!Y' bytearray(b'lo') b'<hello>' b'!Y'

with open("data", "wb") as file:
    file.write(memoryview(b"x" * 1000)[:999])


def checksum(path):
    digest, buffer = hashlib.sha256(), bytearray(128)
    window = memoryview(buffer)
    with open(path, "rb", buffering=0) as file:
        while n := file.readinto(window):
            digest.update(window[:n])
    return digest.hexdigest()


print(checksum("data") == hashlib.sha256(b"x" * 999).hexdigest())  # expect: True
os.remove("data")
with memoryview(array) as short:
    pass


class Shrinks:
    def __index__(self):
        lost.clear()
        return 1000


lost = bytearray(1000)
try:
    memoryview(lost)[900:Shrinks()] = bytes(100)
except Exception as error:
    print(type(error).__name__, len(lost))  # expect: ValueError 0
for wrong in (
    lambda: short[0],
    lambda: memoryview("text"),
    lambda: m[9],
    lambda: m.__setitem__(0, 1),
    lambda: view.__setitem__(0, 256),
    lambda: view.__setitem__(slice(0, 2), b"abc"),
    lambda: hash(view),
    lambda: m["a"],
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
        # expect: ValueError operation forbidden on released memoryview object
        # expect: TypeError memoryview: a bytes-like object is required, not 'str'
        # expect: IndexError index out of bounds on dimension 1
        # expect: TypeError cannot modify read-only memory
        # expect: ValueError memoryview: invalid value for format 'B'
        # expect: ValueError memoryview assignment: lvalue and rvalue have different structures
        # expect: ValueError cannot hash writable memoryview object
        # expect: TypeError memoryview: invalid slice key


def outcome(function):
    try:
        return function()
    except Exception as error:
        return type(error).__name__


gone, other = memoryview(b"abc"), memoryview(b"abc")
part = gone[1:]
gone.release()
other.release()
print(gone == gone, gone == other, gone == b"", b"" == gone, b"" in [gone])  # expect: True False False False False
for function in bytes, bytearray, memoryview, memoryview.__enter__, b"abc".split, b"abc".strip, (lambda m: m in b"abc"):
    print(outcome(lambda: function(gone)), end=" ")
print()  # expect: ValueError ValueError ValueError ValueError ValueError ValueError ValueError
print(outcome(lambda: b"x" + gone), outcome(lambda: b"".join([gone])), bytes(part))  # expect: TypeError TypeError b'bc'
print(str(gone).startswith("<released memory at 0x"), repr(part).startswith("<memory at 0x"))  # expect: True True
