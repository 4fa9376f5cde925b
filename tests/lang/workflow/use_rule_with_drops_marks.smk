# A rule with a `with:` block has marks like default_target only if they stand there.
rule all:
    input: "a.txt"
    default_target: True
rule a:
    output: "a.txt"
    handover: True
    shell: "touch {output}"
use rule a as b with:
    output: "b.txt"
use rule all as other with:
    input: "b.txt"
# args: -n -c2
# expect: rule a:
# expect: output: a.txt
# expect: threads: 2
# expect: rule all:
# expect no: rule other
