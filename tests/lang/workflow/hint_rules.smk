# Names of outputs are attributes; a misspelt part of a rule is told with the nearest one.
rule a:
    output: first="a.txt"
print("first" in dir(rules.a.output))  # expect: True
rule b:
    input: rules.a.ouput
# expect error: has no attribute 'ouput'
# expect error: did you mean 'output'?
