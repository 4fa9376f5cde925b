def parts(wildcards):
    folder = checkpoints.split.get().output[0]
    return expand("{part}.late", part=glob_wildcards(folder + "/{part}.txt").part)


rule all:
    input:
        parts,


checkpoint split:
    output:
        directory("parts"),
    shell:
        "mkdir {output}; touch {output}/x.txt {output}/y.txt"


rule done:
    output:
        "{part}.done",
    shell:
        "touch {output}"


rule late:
    input:
        "{part}.done",
    output:
        "{part}.late",
    shell:
        "touch {output}"
