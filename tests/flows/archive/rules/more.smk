rule second:
    input:
        "mid.txt",
        "/etc/hostname",
    output:
        "out.txt",
    script:
        "../scripts/second.py"


rule named:
    output:
        "named.txt",
    conda:
        "mine"
    shell:
        "touch {output}"
