rule one:
    output: "x"
    message: "making {output} with {threads}"
    shell: "tool"
# expect: making x with 1
