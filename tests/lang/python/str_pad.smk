print("7".zfill(3), "-7".zfill(4), "ab".ljust(4) + "|", "ab".rjust(4, "."), "ab".center(6, "*"))
print("a\tb".expandtabs(4))
# expect: 007 -007 ab  | ..ab **ab**
# expect: a   b
