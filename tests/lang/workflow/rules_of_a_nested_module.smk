# A rule of a module names the output of a rule of a module inside that one; just the former is used here.
# file part.smk: module deep:\n    snakefile: "deep.smk"\nuse rule * from deep as deep_*\nrule b:\n    input: collect(rules.deep_a.output[0])\n    output: "b.txt"\n    shell: "touch {output}"\n
# file deep.smk: rule a:\n    output: "a.txt"\n    shell: "touch {output}"\n
# file a.txt: x
module m:
    snakefile: os.path.abspath("part.smk")
use rule b from m as m_*
rule all:
    input: "b.txt"
    default_target: True
# args: -n -c1
# expect: rule m_b:
# expect: input: a.txt
