print("%s is %d" % ("x", 3), "%05.2f|%5d|%-5d|" % (3.14159, 42, 42))
print("%x %X %o %e %g %%" % (255, 255, 8, 12345.678, 0.0001))
print("%(a)s-%(b)03d" % {"a": 1, "b": 2}, "%r" % "q", "%s" % None, "%5s|" % "ab")
# expect: x is 3 03.14|   42|42   |
# expect: ff FF 10 1.234568e+04 0.0001 %
# expect: 1-002 'q' None    ab|
