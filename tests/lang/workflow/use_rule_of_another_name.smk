# Nor may another rule of the module take that place.
module one:
    snakefile: os.path.abspath("one.smk")
use rule * from one
use rule b from one as a with:
    output: "3.txt"
# file one.smk: rule a:\n    output: "1.txt"\nrule b:\n    output: "2.txt"\n
# expect error: CreateRuleException: The name a is already used by another rule
