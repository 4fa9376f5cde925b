rule all:
    input: expand("{s}.{t}.out", s=["A", "B"], t=["x"])
rule make:
    output: "{s}.{t}.out"
    shell: "touch {output}"
# expect: wildcards: s=A, t=x
# expect: wildcards: s=B, t=x
