print(repr("  a ".strip()), repr("  a ".lstrip()), repr("  a ".rstrip()))
print("xxaxx".strip("x"), "abcba".strip("ab"), "a.txt".removesuffix(".txt"), "pre_a".removeprefix("pre_"))
# expect: 'a' 'a ' '  a'
# expect: a c a a
