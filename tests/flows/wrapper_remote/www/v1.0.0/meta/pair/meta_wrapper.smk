rule one:
    input: "in.txt"
    output: "meta-{x}.txt"
    wrapper: "master/copy"
