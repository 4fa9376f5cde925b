rule a:
    output: "a.txt"
    script: "../scripts/a.py"
