rule two:
    output:
        "two.txt",
    script:
        "two.sh"
