rule x:
    output: "x.txt"
    shell: "echo {rule} > {output}"
