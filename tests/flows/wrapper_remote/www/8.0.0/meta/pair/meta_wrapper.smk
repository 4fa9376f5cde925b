rule one:
    input: "in.txt"
    output: "new-{x}.txt"
    wrapper: "v1.0.0/copy"
