# With re.ASCII, what is not ASCII is no word character, digit or blank, also outside of brackets.
import re
for p in r"\W", r"\D", r"\S", r"x\W", r"(\b_|)\W", r"[\W]", r"\w", r"(?a)a\W?":
    print(p, [m.span() for m in re.finditer(p, "xéa1é", re.A)])
print(re.findall(r"(?a)\W+", "aé b"), re.findall(r"\W+", "aé b"), re.findall("\\\x00|[\x00]", "a\x00", re.A))
# expect: \W [(1, 2), (4, 5)]
# expect: \D [(0, 1), (1, 2), (2, 3), (4, 5)]
# expect: \S [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
# expect: x\W [(0, 2)]
# expect: (\b_|)\W [(1, 2), (4, 5)]
# expect: [\W] [(1, 2), (4, 5)]
# expect: \w [(0, 1), (2, 3), (3, 4)]
# expect: (?a)a\W? [(2, 3)]
# expect: ['é '] [' '] ['\x00']

# (?a:...) holds for its part alone.
text = "é1٣ xé K"
for p in r"(?a:\w)\w", r"(?a:\W)\W?", r"(?a:\d)\d", r"(?a:[\D]) ", r"(?a:[^\w]\b)", r"(?a:\s\S)", r"(?a:\B)\w", r"(?a:(?u:\w)\w)":
    regex = re.compile(p)
    print(p, [m.span() for at in range(len(text)) if (m := regex.match(text, at))], regex.flags)
# expect: (?a:\w)\w [(1, 3), (4, 6)] 32
# expect: (?a:\W)\W? [(0, 1), (2, 4), (3, 4), (5, 7), (6, 7)] 32
# expect: (?a:\d)\d [(1, 3)] 32
# expect: (?a:[\D])  [(2, 4), (5, 7)] 32
# expect: (?a:[^\w]\b) [(0, 1), (3, 4), (6, 7)] 32
# expect: (?a:\s\S) [(3, 5), (6, 8)] 32
# expect: (?a:\B)\w [(0, 1)] 32
# expect: (?a:(?u:\w)\w) [(0, 2)] 32
