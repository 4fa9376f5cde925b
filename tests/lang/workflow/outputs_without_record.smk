# Outputs that the engine has not made: a dry run tells that changes of code or params will not be seen.
rule all:
    input: "a.txt", "b.txt"
rule a:
    output: "a.txt"
    shell: "touch {output}"
rule b:
    output: "b.txt"
    shell: "touch {output}"
# file a.txt: x
# file b.txt: x
# expect: Nothing to be done
# expect: Of 2 jobs it is not recorded how the outputs were made
# expect: Rules with missing metadata: a, b
