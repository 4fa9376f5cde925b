# Brackets that begin and end with the same of . : = are sets of characters, no elements of POSIX.
import re
for p in r"[.a.]", r"[..]+", r"[=<>=]", r"[^.,.]", r"[:\w:]+", r"[.-0.]", r"[[:x:]]":
    print(p, re.findall(p, "a.=<:,[x:]-/0"))
# expect: [.a.] ['a', '.']
# expect: [..]+ ['.']
# expect: [=<>=] ['=', '<']
# expect: [^.,.] ['a', '=', '<', ':', '[', 'x', ':', ']', '-', '/', '0']
# expect: [:\w:]+ ['a', ':', 'x:', '0']
# expect: [.-0.] ['.', '/', '0']
# expect: [[:x:]] [':]']
