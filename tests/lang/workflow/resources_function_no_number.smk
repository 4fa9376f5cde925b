rule a:
    output: "a.txt"
    resources: gpus=1, mem_mb=lambda wildcards: "much"
    shell: "touch {output}"
# expect error: WorkflowError: Resource 'mem_mb' must be an int or a float, not the text 'much'
# expect error:  |                               ^^^^^^^^^^^^^^^^^^^^^^^^
