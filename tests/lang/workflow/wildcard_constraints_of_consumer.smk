# A value that a consumer has must fit the maker's constraint as a whole, not only begin so.
rule all:
    input: "r1/a.b.txt"
rule r0:
    output: "out/{s}/r0.txt"
    wildcard_constraints: s="[a-z]+"
    shell: "touch {output}"
rule r1:
    input: "out/{s}/r0.txt"
    output: "r1/{s}.txt"
    shell: "touch {output}"
# expect error: MissingInputException
# expect error: out/a.b/r0.txt
