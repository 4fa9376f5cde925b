# One checkpoint for each line of another one's; rule part is behind both.
rule all:
    input:
        lambda wildcards: expand("{s}.sum", s=open(checkpoints.names.get().output[0]).read().split()),
        "beside.txt",


checkpoint names:
    output:
        "names.txt",
    shell:
        "echo A B > {output}; echo names >> ran"


checkpoint parts:
    output:
        "{s}.parts",
    shell:
        "echo 1 2 > {output}; echo parts >> ran"


rule sum:
    input:
        lambda wildcards: expand(
            "{s}.{i}.part", s=wildcards.s, i=open(checkpoints.parts.get(s=wildcards.s).output[0]).read().split()
        ),
        "beside.txt",
    output:
        "{s}.sum",
    shell:
        "cat {input} > {output}; echo sum >> ran"


rule part:
    input:
        "{s}.{i}.raw",
    output:
        "{s}.{i}.part",
    shell:
        "cp {input} {output}; echo part >> ran"


rule raw:
    output:
        temp("{s}.{i}.raw"),
    shell:
        "touch {output}; echo raw >> ran"


rule beside:
    output:
        "beside.txt",
    shell:
        "touch {output}; echo beside >> ran"
