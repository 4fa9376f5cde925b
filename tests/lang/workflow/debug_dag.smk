rule all:
    input: "a.txt"

rule one:
    output: "{s}.txt"
    shell: "touch {output}"

rule other:
    input: "nowhere"
    output: "a.{t}"
    shell: "touch {output}"

ruleorder: other > one
# args: -n --debug-dag
# expect: candidate job all
# expect: candidate job other
# expect:     wildcards: t=txt
# expect: candidate job one
# expect:     wildcards: s=a
# expect: selected job one
# expect: selected job all
