localrules: all, a
rule all:
    input: "b.txt"
rule a:
    output: "a.txt"
    shell: "touch {output}"
rule b:
    input: "a.txt"
    output: "b.txt"
    shell: "touch {output}"
# expect: rule a:
# expect: rule b:
