rule all:
    input: "one", "two"
rule x:
    output: "f"
    shell: "echo x > f"
rule y:
    output: "f"
    shell: "echo y > f"
rule one:
    input: rules.x.output
    output: "one"
    shell: "cp {input} {output}"
rule two:
    input: rules.y.output
    output: "two"
    shell: "cp {input} {output}"
