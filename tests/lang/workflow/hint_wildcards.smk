# A misspelt wildcard in an input function.
rule a:
    input: "x.b"
rule b:
    input: lambda wildcards: f"{wildcards.smaple}.in"
    output: "{sample}.b"
# expect error: 'Wildcards' object has no attribute 'smaple'
# expect error: did you mean 'sample'?
