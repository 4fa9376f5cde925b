# The colours of rules are those of Snakemake, whose rounding takes 178.5 for 178.
rule all:
    input: "d.out"
for letter in "bcdefghijklmnopq":
    rule:
        name: letter
        output: letter + ".out"
        shell: "touch {output}"
# args: --rulegraph mermaid-js
# expect: id0[all]
# expect: style id1 fill:#D9B257
