NUMBER = 1


rule make:
    output:
        "one.txt",
    shell:
        "echo {NUMBER} > {output}"
