# The texts of CPython's messages.
for v in b"abcd", bytearray(), "abc", 3:
    try:
        ord(v)
    except TypeError as e:
        print(e)
# expect: ord() expected a character, but string of length 4 found
# expect: ord() expected a character, but string of length 0 found
# expect: ord() expected a character, but string of length 3 found
# expect: ord() expected string of length 1, but int found
try:
    iter(3, 4)
except TypeError as e:
    print(e)  # expect: iter(object, sentinel): object must be callable
