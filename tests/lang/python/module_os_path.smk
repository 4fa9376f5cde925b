import os
from os.path import join, basename as base
p = join("a", "b", "c.tar.gz")
print(p, base(p), os.path.dirname(p), os.path.splitext(p), os.path.split("/x/y"))
print(os.path.join("a", "/b"), os.path.normpath("a/../b//c/."), os.path.isabs("/a"), os.path.exists("nope"))
print(os.path.relpath("/a/b", "/a/c"), os.path.commonprefix(["abc", "abd"]), os.environ.get("NOT_SET_X", "d"))
# expect: a/b/c.tar.gz c.tar.gz a/b ('a/b/c.tar', '.gz') ('/x', 'y')
# expect: /b b/c True False
# expect: ../b ab d
