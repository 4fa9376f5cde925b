WORD = "shared"


rule two:
    output:
        "two.txt",
    shell:
        "echo two > {output}"
