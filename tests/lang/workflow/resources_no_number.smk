# The caret stands under the item.
rule a:
    output: "a.txt"
    resources: gpus=1, runtime="1 fortnight"
    shell: "touch {output}"
# expect error: WorkflowError: Resource 'runtime' with value '1 fortnight' could not be parsed as minutes
# expect error:  |                                ^^^^^^^^^^^^^
