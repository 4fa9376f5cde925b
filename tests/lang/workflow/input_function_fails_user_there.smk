# A rule that needs such a file cannot run; where its own file is there, that will do.
rule all:
    input: "x.out"


def broken(wildcards):
    return {"a": []}[wildcards.s]


rule x:
    input: broken
    output: "{s}.txt"
    shell: "touch {output}"


rule y:
    input: "{s}.txt"
    output: "{s}.out"
    shell: "touch {output}"
# file x.txt: old
# file x.out: old
# expect: all
# expect no: rule y
