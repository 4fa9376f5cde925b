rule all:
    input: "A.out"
rule make:
    input: "in.txt"
    output: "{s}.out"
    params:
        a=lambda wc, input: input[0].upper(),
        b=lambda wc, output, threads: f"{output[0]}@{threads}",
        c="{s}!",
    threads: 1
    shell: "echo {params.a} {params.b} {params.c}"
# file in.txt: x
# args: -n -p -c1
# expect: echo IN.TXT A.out@1 A!
