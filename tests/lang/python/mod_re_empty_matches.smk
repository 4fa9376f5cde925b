import re
print(re.findall(r"a*", "baac"), re.sub("x*", "-", "abxd"), re.split("x*", "axbc"), re.findall(r"\b|\w+", "ab cd"))
print(re.sub(r"a|b*", "-", "abab"), re.findall(r"a|b*", "abbc"), re.findall(r"(?=(\w))", "abc"), re.sub(r"\b", "|", "ab cd"))
print([m.span() for m in re.finditer(r"x*|y", "xxyx")], re.split(r"(\s*)", "a b"), re.sub("", "-", "abc"), re.findall("", "ab"), re.sub(r"$", "!", "a\n"))
print(re.findall(r"[^\n]*", "é\nü"), re.sub(r"(?m)^", "> ", "a\nb\n"), re.subn("x*", "-", "abxd", count=2), re.findall(r"(a?)(b?)", "abba"))
print(re.split(r"\b", "Words, words"), re.split(r"(?=b)", "abab"), re.sub(r'\w*?', '.', 'ab'), re.findall(r"a??", "aa"), re.findall(r"(|a)+", "aa"))

# expect: ['', 'aa', '', ''] -a-b--d- ['', 'a', '', 'b', 'c', ''] ['', 'ab', '', '', 'cd', '']
# expect: ----- ['a', 'bb', '', ''] ['a', 'b', 'c'] |ab| |cd|
# expect: [(0, 2), (2, 2), (2, 3), (3, 4), (4, 4)] ['', '', 'a', ' ', '', '', 'b', '', ''] -a-b-c- ['', '', ''] a!
# expect: !
# expect: ['é', '', 'ü', ''] > a
# expect: > b
# expect: >  ('-a-bxd', 2) [('a', 'b'), ('', 'b'), ('a', ''), ('', '')]
# expect: ['', 'Words', ', ', 'words', ''] ['a', 'ba', 'b'] ..... ['', 'a', '', 'a', ''] ['', '', '', '', '']
