rule all:
    input: "A.out"
rule a:
    input: "{smaple}.in"
    output: "{sample}.out"
# expect error: WildcardError: Wildcards in input files cannot be determined from output files: 'smaple'
# expect error:  |              ^^^^^^
# expect error: did you mean 'sample'?
