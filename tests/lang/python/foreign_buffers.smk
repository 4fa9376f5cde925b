# Foreign objects with memory of their own are hashed, and made bytes, by what is in it.
import hashlib
from array import array
from fractions import Fraction

numbers = array("h", [1, -2])
print(hashlib.sha1(numbers).hexdigest() == hashlib.sha1(b"\x01\x00\xfe\xff").hexdigest())  # expect: True
print(bytes(numbers), bytes(array("b")), bytearray(numbers))  # expect: b'\x01\x00\xfe\xff' b'' bytearray(b'\x01\x00\xfe\xff')
for act in bytes, hashlib.md5:
    try:
        act(Fraction(1, 2))
    except TypeError as error:
        print(type(error))  # expect: <class 'TypeError'>
# expect: <class 'TypeError'>
