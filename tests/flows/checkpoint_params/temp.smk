# The checkpoint is only asked for by params; the input is its file by name.
rule all:
    input:
        "a.q",


checkpoint manifest:
    output:
        temp("man.tsv"),
    shell:
        "echo 1 > {output}"


rule q:
    input:
        "man.tsv",
    output:
        "{s}.q",
    params:
        v=lambda wildcards: open(checkpoints.manifest.get().output[0]).read().strip(),
    shell:
        "echo {params.v} > {output}; echo >> ran"
