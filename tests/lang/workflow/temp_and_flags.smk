rule all:
    input: "b.txt"
rule a:
    output: temp("a.txt")
    shell: "touch {output}"
rule b:
    input: ancient("a.txt")
    output: protected("b.txt")
    shell: "touch {output}"
# expect: rule a:
# expect: rule b:
