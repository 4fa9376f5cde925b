def files(wc):
    return {"r1": wc.s + "_1.fq", "r2": wc.s + "_2.fq"}
rule all:
    input: "q.out"
rule make:
    input: unpack(files)
    output: "{s}.out"
    shell: "cat {input.r1} {input.r2} > {output}"
# file q_1.fq: 1
# file q_2.fq: 2
# args: -n -p -c1
# expect: cat q_1.fq q_2.fq > q.out
