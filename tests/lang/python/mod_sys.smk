import sys

v = sys.version_info
print(v >= (3, 8), v[:1], v.major, v.releaselevel, isinstance(v, tuple))  # expect: True (3,) 3 final True
print((v.major, v.minor, v.micro, v.releaselevel, v.serial) == v, "%d.%d" % v[:2] == f"{v.major}.{v.minor}")  # expect: True True
print(str(v).startswith("sys.version_info(major=3, minor="))  # expect: True
