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
