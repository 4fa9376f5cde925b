rule a:
    input: "in.txt"
    output: "x.txt", y="y.txt"
    shell: "touch {output}"
print(rules.a.output.y, rules.a.output[0], rules.a.input)  # expect: y.txt x.txt in.txt
rule b:
    input: rules.a.output
    output: "z.txt"
    shell: "touch {output}"
# file in.txt: x
# args: -n -c1 z.txt
# expect: rule a:
# expect: rule b:
# expect: input: x.txt, y.txt
