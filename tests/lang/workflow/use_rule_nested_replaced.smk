# The rule of a module within a module is replaced by name, further out, too.
module outer:
    snakefile: os.path.abspath("outer.smk")
use rule * from outer as o_*
use rule a from outer as o_a with:
    output: "4.txt"
print(rules.o_a.output)  # expect: 4.txt
# file one.smk: rule a:\n    output: "1.txt"\n    shell: "touch {output}"\n
# file outer.smk: module one:\n    snakefile: "one.smk"\nuse rule * from one\nuse rule a from one with:\n    output: "2.txt"\n
