# What a match tells of itself; split and subn of a pattern; seeding a generator again.
import random
import re

m = re.compile(r"(?P<a>\w)(\d)?").search("--x1")
print(m.end(), m.string, m.re.pattern, m.lastindex, m.lastgroup, m.pos, m.endpos)  # expect: 4 --x1 (?P<a>\w)(\d)? 2 None 0 4
m = re.match(r"(a)|(b)", "b")
print(m.lastindex, m.lastgroup, m.groups("d"), re.match("x", "x").lastindex)  # expect: 2 None ('d', 'b') None
print(re.compile(",").split("a,b,c", 1), re.compile(",").subn("-", "a,b,c", 1), re.purge())  # expect: ['a', 'b,c'] ('a-b,c', 1) None
r = random.Random(3)
first = r.random()
r.__init__(3)
print(r.random() == first)  # expect: True
