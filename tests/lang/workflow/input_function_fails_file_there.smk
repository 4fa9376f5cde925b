# That what the function would name is not known is an error also where an old file is there.
rule all:
    input: "x.txt"


def broken(wildcards):
    return {"a": []}[wildcards.s]


rule x:
    input: broken
    output: "{s}.txt"
    shell: "touch {output}"
# file x.txt: old
# expect error: KeyError: 'x'
