# A wildcard in an f-string: Python looks for a variable.
SAMPLES = ["a"]
rule all:
    input: expand("{s}.out", s=SAMPLES)
rule a:
    output: f"{sample}.out"
    shell: "touch {output}"
# expect error: NameError: name 'sample' is not defined
# expect error: hint: an f-string is filled in when it is read; what Snakemake is to fill in needs two braces: {{sample}}
