rule a:
    output: lambda wc: "a.txt"
    shell: "touch {output}"
# expect error: output
