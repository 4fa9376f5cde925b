rule all:
    input: "x_1.out"
rule make:
    input: lambda wc: [f"{wc.n}.in"] * int(wc.k)
    output: "{n}_{k}.out"
    shell: "touch {output}"
# file x.in: 1
# expect: input: x.in
