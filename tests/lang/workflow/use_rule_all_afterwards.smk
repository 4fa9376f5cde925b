# `use rule *` does not undo what a rule has been used with.
module one:
    snakefile: os.path.abspath("one.smk")
use rule a from one with:
    output: "2.txt"
use rule * from one
# file one.smk: rule a:\n    output: "1.txt"\n    shell: "touch {output}"\n
# expect error: CreateRuleException: The name a is already used by another rule
