rule gather:
    input:
        lambda wildcards: expand("copy/{i}", i=glob_wildcards(f"{checkpoints.split.get().output[0]}/{{i,[0-9]}}").i),
    output:
        "gathered.txt",
    shell:
        "cat {input} > {output}"


rule before:
    output:
        temp("before.txt"),
    shell:
        "echo 7 > {output}"


checkpoint split:
    input:
        "before.txt",
    output:
        directory("parts"),
    shell:
        "mkdir {output}; cp {input} {output}/1; cp {input} {output}/2"


rule copy:
    input:
        "parts/{i}",
        "before.txt",
    output:
        temp("copy/{i}"),
    shell:
        "cp {input[0]} {output}"
