# A rule that lists what is in its directory lets others add to it.
rule all:
    input: "d/zzz"

rule d:
    output: d=directory("d"), first="d/aaa"
    shell: "mkdir -p d; touch d/aaa"

rule child:
    input: "d/aaa"
    output: "d/zzz"
    shell: "touch {output}"
# expect: total        3
