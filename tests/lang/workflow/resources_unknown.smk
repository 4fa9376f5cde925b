# What depends on a file that is not there yet is not known, in any spelling.
rule all:
    input: "a.out"

rule source:
    output: "a.in"
    shell: "echo > {output}"

rule one:
    input: "a.in"
    output: "a.out"
    resources: disk_mb=lambda wc, input: max(2 * input.size_mb, 1000), lines=lambda wc, input: len(open(input[0]).read())
    shell: "cat {input} > {output}"
# expect: disk_mb=<TBD>, disk=<TBD>, disk_mib=<TBD>, lines=<TBD>
