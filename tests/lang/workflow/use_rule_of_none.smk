# A module may define a rule for some configurations only: one that it lacks is told, and no error.
# file part.smk: rule a:\n    output: "a.txt"\n    shell: "touch {output}"\nif config["more"]:\n    rule b:\n        output: "b.txt"\n        shell: "touch {output}"\n
module m:
    snakefile: os.path.abspath("part.smk")
    config: {"more": False}
use rule a, b from m as m_*
use rule b from m as other with:
    output: "c.txt"
rule all:
    input: rules.m_a.output
    default_target: True
# args: -n -c1
# expect: rule m_a:
