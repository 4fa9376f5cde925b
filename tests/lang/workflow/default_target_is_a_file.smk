# The default target may be a file; None leaves it to the next rule.
rule first:
    output: "first.txt"
    shell: "touch {output}"
workflow.default_target = None
rule second:
    output: "{name}.tsv"
    shell: "touch {output}"
print(workflow.default_target) # expect: second
workflow.default_target = "a.tsv"
# expect:     output: a.tsv
# expect no: first.txt
