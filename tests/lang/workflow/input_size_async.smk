# Files that a function of resources gets say their size; async_run() is what Snakemake's coroutines need.
from snakemake.common import async_run

with open("in.txt", "w") as file:
    file.write("x" * 3000)


rule all:
    default_target: True
    input:
        "out.txt",


rule a:
    input:
        "in.txt",
        named="in.txt",
    output:
        "out.txt",
    resources:
        mem_mb=lambda wildcards, input: async_run(input["named"].size()) // 1000,
        disk_mb=lambda wildcards, input, async_run: async_run(input.named.size()) + async_run(input[0].size()),
        runs=lambda wildcards, input: int(async_run(input[0].exists())),
    shell:
        "cp {input.named} {output}"
# args: -n -c1
# expect: mem_mb=3, mem=3 MB, mem_mib=3, disk_mb=6000, disk=6 GB, disk_mib=5723, runs=1
