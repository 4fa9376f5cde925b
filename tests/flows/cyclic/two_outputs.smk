rule all:
    input:
        "second.txt",


rule both:
    input:
        "between.txt",
    output:
        "first.txt",
        "second.txt",
    shell:
        "touch {output}"


rule between:
    input:
        "first.txt",
    output:
        "between.txt",
    shell:
        "cp {input} {output}"
