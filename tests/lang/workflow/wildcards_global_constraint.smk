wildcard_constraints:
    n=r"\d+"
rule all:
    input: "a12.txt"
rule one:
    output: "{s}{n}.txt"
    shell: "tool {wildcards.s} {wildcards.n}"
# args: -n -p -c1
# expect: tool a1 2
