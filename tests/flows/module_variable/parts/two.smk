NUMBER = 2


rule make:
    output:
        "two.txt",
    shell:
        "echo {NUMBER} > {output}"
