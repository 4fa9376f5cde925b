import re
m = re.match(r"(?P<s>\w+)_(\d+)", "sample_12.fq")
print(m.group("s"), m.group(2), m.groups(), m.span(), m.groupdict())
print(re.sub(r"\d+", lambda m: str(int(m.group()) + 1), "a1b22"), re.findall(r"[a-z]\d", "a1b2"), re.split(r"[,;]\s*", "a, b;c"))
print(re.search("x", "abc"), bool(re.fullmatch("a+", "aaa")), re.escape("a.b"), re.compile("B", re.I).search("abc").start())
# expect: sample 12 ('sample', '12') (0, 9) {'s': 'sample'}
# expect: a2b23 ['a1', 'b2'] ['a', 'b', 'c']
# expect: None True a\.b 1
print(re.match("x*", "x" * 60), re.match("é*", "é" * 49))
# expect: <re.Match object; span=(0, 60), match='xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx> <re.Match object; span=(0, 49), match='ééééééééééééééééééééééééééééééééééééééééééééééééé>
print(re.split(",", "a,b", maxsplit=-1), re.sub("a", "b", "aa", count=-1), re.compile("a").subn("b", "aa", -2), re.split(",", "a,b", 0))
# expect: ['a,b'] aa ('aa', 0) ['a', 'b']
