rule a:
    output: "a.txt"
rule a:
    output: "b.txt"
# expect error: a
