import sys
print("a", "b", sep="-", end="!\n")
print()
print(*[1, 2], sep="\n")
print("to stderr", file=sys.stderr)
print(None, True, 1.0, "é")
# expect: a-b!
# expect:
# expect: 1
# expect: 2
# expect: None True 1.0 é
