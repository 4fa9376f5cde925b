rule a:
    input: "in.txt"
    output: "out.txt"
    log: "a.log"
    conda: "env.yaml"
    shell: "cp {input} {output} 2> {log}; echo {{home}}"


# A wrapper brings its environment.
rule wrapped:
    output:
        "b.txt",
    log:
        "b.log",
    wrapper:
        "v4.5.0/bio/samtools/index"
