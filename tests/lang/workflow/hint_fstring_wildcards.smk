# A wildcard in an f-string, as it is to be written.
rule a:
    output: "{sample}.out"
    shell: f"echo {wildcards.sample} > {output}"
# expect error: NameError: name 'wildcards' is not defined
# expect error: hint: an f-string is filled in when it is read; what Snakemake is to fill in needs two braces: {{wildcards.sample}}
