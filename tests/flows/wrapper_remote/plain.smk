rule folder:
    input: "in.txt"
    output: "a.txt"
    log: "logs/a.log"
    wrapper: "v1.0.0/copy"

rule file:
    input: "in.txt"
    output: "b.txt"
    wrapper: "v1.0.0/copy/wrapper.py"
