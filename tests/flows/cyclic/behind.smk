rule all:
    input:
        "b.txt",


rule first:
    input:
        "x.txt",
    output:
        "b.txt",
    shell:
        "cp {input} {output}"


rule second:
    input:
        "y.txt",
    output:
        "x.txt",
    shell:
        "cp {input} {output}"


rule third:
    input:
        "x.txt",
    output:
        "y.txt",
    shell:
        "cp {input} {output}"
