# An output that constraints hold is a pattern like any other where another rule names it: any rule may make the file.
rule all:
    input: "r/genome/tree"
rule align:
    output: "r/{seg}/aligned"
    wildcard_constraints: seg="a|b"
    shell: "align {output}"
rule tree:
    input: rules.align.output
    output: "r/{seg}/tree"
    shell: "tree {input}"
rule join:
    input: "late/genome"
    output: "r/{seg}/aligned"
    wildcard_constraints: seg="genome"
    shell: "join {output}"
rule late:
    output: "late/{kind}.made"
    shell: "late {output}"
wildcard_constraints: kind="b"
rule use_late:
    input: rules.late.output
    output: "late/{kind,genome}"
    shell: "use_late {input}"
rule other_late:
    output: "late/genome.made"
    shell: "other_late {output}"
# args: -n -p -c1
# expect: other_late late/genome.made
# expect: use_late late/genome.made
# expect: join r/genome/aligned
# expect: tree r/genome/aligned
