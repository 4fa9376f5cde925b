# What does not wait for a checkpoint is known at once; <TBD> stands for what is not.
def names(wildcards):
    return open(checkpoints.split.get(s="a").output[0]).read().split()

def packed(wildcards):
    return {"z": checkpoints.split.get(s="b").output[0]}

rule all:
    input: "plain.txt", names, y=names, *[unpack(packed)]
    params: lambda wc: names(wc)
    shell: "echo {input[0]} {params}"

rule plain:
    output: "plain.txt"
    shell: "echo > {output}"

checkpoint split:
    output: "list/{s}"
    shell: "echo {wildcards.s}1 > {output}"
# args: -n -p -c1
# expect: plain        1
# expect: split        2
# expect: total        4
# expect: Shell command: echo a1 > list/a
# expect: DAG of jobs will be updated after completion.
# expect: input: plain.txt, <TBD>, <TBD>, <TBD>
# expect: reason: Input files updated by another job: 
# expect: Shell command: echo plain.txt <TBD>
# expect no: Rules with a run or shell declaration
