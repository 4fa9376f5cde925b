rule all:
    input: "p.fai"
rule one:
    output: multiext("p", fa=".fa", idx=".fai")
    shell: "tool {output.idx} {output.fa}"
# args: -n -p -c1
# expect: tool p.fai p.fa
