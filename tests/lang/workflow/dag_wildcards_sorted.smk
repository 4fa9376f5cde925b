# The wildcards of a job are drawn in the order of the lines that they become.
rule all:
    input: "z.y.x"
rule make:
    output: "{unit}.{pair}.{pair1}"
    shell: "touch {output}"
# args: --dag
# expect: 1[label = "make\npair1: x\npair: y\nunit: z"
