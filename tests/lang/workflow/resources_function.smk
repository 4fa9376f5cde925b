rule all:
    input: "A.out"
rule make:
    output: "{s}.out"
    threads: 1
    resources: mem_mb=lambda wc, threads: threads * 100, tag="t"
    shell: "echo {resources.mem_mb} {resources.tag}"
# args: -n -p -c1
# expect: echo 100 t
