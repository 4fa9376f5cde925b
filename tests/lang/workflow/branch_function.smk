rule all:
    input: "A.txt", "B.txt"
rule one:
    output: "{s}.txt"
    params: v=branch(lambda wc: wc.s == "A", then="yes", otherwise="no"), c=branch(lambda wc: wc.s, cases={"A": "ca", "B": "cb"})
    shell: "tool {wildcards.s} {params.v} {params.c}"
# args: -n -p -c1 A.txt
# expect: tool A yes ca
