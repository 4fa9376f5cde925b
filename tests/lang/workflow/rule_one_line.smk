rule a: output: "a.txt"
x = 1
print("x is", x)  # expect: x is 1
# ours only: elsewhere what follows such a rule is read as part of it
# args: --list-rules
# expect: a
