rule all:
    output: "out"
    resources: gpu=10**30  # expect error: Resource 'gpu' is too large: resources are less than 2**63
    shell: "touch {output}"
