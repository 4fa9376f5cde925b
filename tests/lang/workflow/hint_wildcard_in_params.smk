rule all:
    input: "A.out"
rule a:
    output: "{sample}.out"
    params: ["x", "{smaple}"]
    shell: "touch {output} {params}"
# args: -n -p -c1
# expect error: WildcardError: Wildcards in params cannot be determined from output files: 'smaple'
# expect error: did you mean 'sample'?
