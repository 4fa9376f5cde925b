# An input function that is called where it should be named.
def inputs(wildcards):
    return "a.in"
rule a:
    input: inputs(wildcards)
    output: "a.out"
    shell: "touch {output}"
# expect error: NameError: name 'wildcards' is not defined
# expect error: hint: only functions get the wildcards of a job: name the function without calling it, or write `lambda wildcards: ...`
