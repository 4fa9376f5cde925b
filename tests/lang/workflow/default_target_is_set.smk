# args: -n -c1 --config target=second
# workflow.default_target can be set, to a rule that is still to come.
print(workflow.default_target) # expect: None
workflow.default_target = config["target"]
rule first:
    output: "first.txt"
    shell: "touch {output}"
print(workflow.default_target) # expect: second
rule second: # expect: rule second:
    output: "second.txt"
    shell: "touch {output}"
# expect no: rule first:
