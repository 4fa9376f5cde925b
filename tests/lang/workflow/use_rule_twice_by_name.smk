# What `use rule *` has brought may be replaced once, by the same rule.
module one:
    snakefile: os.path.abspath("one.smk")
use rule * from one
use rule a from one with:
    output: "2.txt"
print(rules.a.output)  # expect: 2.txt
use rule a from one with:
    output: "3.txt"
# file one.smk: rule a:\n    output: "1.txt"\n    shell: "touch {output}"\n
# expect error: CreateRuleException: The name a is already used by another rule
