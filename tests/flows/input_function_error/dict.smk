rule a:
    input: lambda w: {"named": "x.out"}
    output: "a"
    shell: "touch {output}"
