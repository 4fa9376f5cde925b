# Files by their number: what follows tempfile.mkstemp(), and writing through to the disk.
import os
import tempfile

fd, path = tempfile.mkstemp(dir=".")
with os.fdopen(fd, "w") as f:
    f.write("first\nlast\n")
    f.flush()
    os.fsync(f.fileno())
    os.fsync(f)
with open(path, "rb") as f:
    f.seek(-5, os.SEEK_END)
    print(f.read(), os.lseek(f.fileno(), 0, os.SEEK_SET))  # expect: b'last\n' 0
fd = os.open(path, os.O_RDONLY)
print(os.read(fd, 5), os.lseek(fd, 1, os.SEEK_CUR), os.read(fd, 100), os.read(fd, 1))
# expect: b'first' 6 b'last\n' b''
os.close(fd)
print(os.getpgid(0) == os.getpgrp(), os.SEEK_SET, os.SEEK_CUR, os.EX_USAGE)  # expect: True 0 1 64
try:
    os.fdopen("x")
except TypeError as error:
    print(error)  # expect: invalid fd type (<class 'str'>, expected integer)
try:
    os.read(fd, 1)
except OSError as error:
    print(error)  # expect: [Errno 9] Bad file descriptor
