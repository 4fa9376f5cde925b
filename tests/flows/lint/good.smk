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


# A path needs a slash; a wildcard with a constraint is another prefix.
rule named:
    input:
        "in." + "txt",
    output:
        "c/{x,[a-z]+}.txt",
    log:
        "{x}." + "log",
    conda:
        "env.yaml"
    params:
        prefix="c/{x}",
    shell:
        "cp {input} {output} # {params.prefix}"
