include: "two.smk"


rule one:
    output:
        "one.txt",
    shell:
        "echo {WORD} > {output}"
