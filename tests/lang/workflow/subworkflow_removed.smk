subworkflow other:
    workdir: "x"
# expect error: subworkflow
