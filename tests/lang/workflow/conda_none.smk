# A directive that says None is as good as none.
rule all:
    input: "t.txt", "u.txt"

rule t:
    input: "t.in"
    output: "t.txt"
    conda: None
    template_engine: "yte"

rule u:
    output: "u.txt"
    conda: None
    shell: "echo > {output}"
# file t.in: a: 1
# expect: total        3
