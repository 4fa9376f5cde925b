# Rules of two modules with one name: neither takes the other's place.
module one:
    snakefile: os.path.abspath("one.smk")
use rule * from one
module two:
    snakefile: os.path.abspath("two.smk")
use rule * from two
# file one.smk: rule all:\n    output: "1.txt"\n    shell: "touch {output}"\n
# file two.smk: rule all:\n    output: "2.txt"\n    shell: "touch {output}"\n
# expect error: CreateRuleException: The name all is already used by another rule
# expect error: hint: `use rule ... from two as two_*` gives a module's rules other names
