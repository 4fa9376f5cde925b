# ~ where the home directory is the root, as in many containers, or ends with a slash.
import operator
import os

for home in "/", "//", "", "/home/x/", "/home/x":
    os.environ["HOME"] = home
    print([os.path.expanduser(p) for p in ("~", "~/", "~/a", "~//a", "a~")])
print(operator.itruediv(7, 2), operator.ifloordiv(7, 2), operator.imod(7, 4), operator.ipow(2, 5), operator.ilshift(1, 4))
print(operator.irshift(16, 2), operator.ixor({1, 2}, {2, 3}))
# expect: ['/', '/', '/a', '//a', 'a~']
# expect: ['/', '/', '/a', '//a', 'a~']
# expect: ['/', '/', '/a', '//a', 'a~']
# expect: ['/home/x', '/home/x/', '/home/x/a', '/home/x//a', 'a~']
# expect: ['/home/x', '/home/x/', '/home/x/a', '/home/x//a', 'a~']
# expect: 3.5 3 3 32 16
# expect: 4 {1, 3}
