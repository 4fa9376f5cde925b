# mem=None leaves a resource out; a number of megabytes has to be a number, also what a function gives.
rule one:
    output: "x"
    resources: disk=None, runtime=None, other=None, mem_mb=lambda wildcards: None
    shell: "touch {output}"
# expect error: 'mem_mb' must be an int or a float, not None
