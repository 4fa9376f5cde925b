rule all:
    input: "a.txt"
rule one:
    output: "{sample}.txt"
    shell: "tool {sample}"
# args: -n -p -c1
# expect error: The name 'sample' is unknown in this context. Did you mean 'wildcards.sample'?
