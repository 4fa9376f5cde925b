rule a:
    input: "in.txt"
    output: "out.txt"
    log: "a.log"
    conda: "env.yaml"
    shell: "cp {input} {output} 2> {log}; echo {{home}}"
