# ours only
from packaging.version import Version, parse, InvalidVersion
vs = ["1.0", "1.0.dev1", "1.0a1", "1.0rc2", "1.0.post1", "1.1", "1!0.5", "1.0+local.1", "1.0b2.post3.dev4", "v2.0-1"]
for v in sorted(map(parse, vs)):
    print(v)
# expect: 1.0.dev1
# expect: 1.0a1
# expect: 1.0b2.post3.dev4
# expect: 1.0rc2
# expect: 1.0
# expect: 1.0+local.1
# expect: 1.0.post1
# expect: 1.1
# expect: 2.0.post1
# expect: 1!0.5
print(Version("1.0") == Version("1.0.0"), Version("1.10") > Version("1.9"))  # expect: True True
try:
    parse("1.0x")
except InvalidVersion as e:
    print(e)  # expect: Invalid version: '1.0x'
