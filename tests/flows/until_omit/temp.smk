rule all:
    input:
        "sum.txt",
        "late.txt",


rule part:
    output:
        temp("part_{i}.txt"),
    shell:
        "echo > {output}"


rule sum:
    input:
        "part_1.txt",
        "part_2.txt",
    output:
        "sum.txt",
    shell:
        "cat {input} > {output}"


checkpoint choose:
    output:
        "choice.txt",
    shell:
        "echo > {output}"


def chosen(wildcards):
    return checkpoints.choose.get().output[0]


rule late:
    input:
        chosen,
    output:
        "late.txt",
    shell:
        "cp {input} {output}"
