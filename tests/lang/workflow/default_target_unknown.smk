workflow.default_target = "nothing" # expect error: nothing
rule first:
    output: "first.txt"
    shell: "touch {output}"
