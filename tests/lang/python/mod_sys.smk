import sys

v = sys.version_info
print(v >= (3, 8), v[:1], v.major, v.releaselevel, isinstance(v, tuple))  # expect: True (3,) 3 final True
print((v.major, v.minor, v.micro, v.releaselevel, v.serial) == v, "%d.%d" % v[:2] == f"{v.major}.{v.minor}")  # expect: True True
print(str(v).startswith("sys.version_info(major=3, minor="))  # expect: True

# The language is that of Python 3.12, and that is what is said.
import platform

print(v[:2], sys.version[:4], hex(sys.hexversion)[:5], platform.python_version_tuple()[:2], platform.python_version()[:4])
# expect: (3, 12) 3.12 0x30c ('3', '12') 3.12
