import re


def tell(f, *args):
    try:
        print(f(*args))
    except (re.error, IndexError, TypeError) as e:
        print(type(e).__name__, e)


for template in [r"\g<a", r"\g<", r"\g", r"\g<a a>", r"\g<>", r"\g<1a1>", r"\g<ab>", r"\g<-1>", r"\g<2>", r"\2", r"\400",
                 "\n\\q", "\\", r"\101\g<0>\1\g<a>\\n\."]:
    tell(re.sub, "(?P<a>x)", template, "xx")
tell(re.sub, b"(x)", b"\\1a\\g<1>", b"xx")
tell(re.sub, "y", r"\9", "xx")
tell(re.sub, "x", lambda m: 1, "axxa")
tell(re.sub, "x", 1, "axxa")
tell(re.match("(a)(b)?", "a").expand, r"[\1][\2]")
try:
    re.sub("x", "\n\\g<1>", "y")
except re.error as e:
    print(e.msg, repr(e.pattern), e.pos, e.lineno, e.colno)
many = re.match("(a)" * 120, "a" * 120)
print(many.group(120), len(many.groups()), many.groups()[:2], len(re.findall("(a)" * 120, "a" * 120)[0]))
digits = re.compile(r"\d+", re.I | re.S)
print(digits, re.compile(b"x"))
print(digits.findall("1 22 333 4", 2), digits.findall("1 22 333 4", 2, 6), digits.findall("12", -5, 1))
print([(m.span(), m.pos, m.endpos) for m in digits.finditer("1 22 333 4", 2, 7)], digits.search("123", 3, 1), digits.search("12", 5))

# expect: error missing >, unterminated name at position 3
# expect: error missing group name at position 3
# expect: error missing < at position 2
# expect: error bad character in group name 'a a' at position 3
# expect: error missing group name at position 3
# expect: error bad character in group name '1a1' at position 3
# expect: IndexError unknown group name 'ab'
# expect: error bad character in group name '-1' at position 3
# expect: error invalid group reference 2 at position 3
# expect: error invalid group reference 2 at position 1
# expect: error octal escape value \400 outside of range 0-0o377 at position 0
# expect: error bad escape \q at position 1 (line 2, column 1)
# expect: error bad escape (end of pattern) at position 0
# expect: Axxx\n\.Axxx\n\.
# expect: b'xaxxax'
# expect: error invalid group reference 9 at position 1
# expect: TypeError sequence item 1: expected str instance, int found
# expect: TypeError decoding to str: need a bytes-like object, int found
# expect: [a][]
# expect: invalid group reference 1 '\n\\g<1>' 4 2 4
# expect: a 120 ('a', 'a') 120
# expect: re.compile('\\d+', re.IGNORECASE|re.DOTALL) re.compile(b'x')
# expect: ['22', '333', '4'] ['22', '3'] ['1']
# expect: [((2, 4), 2, 7), ((5, 7), 2, 7)] None None
