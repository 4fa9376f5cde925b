rule a:
    input: "nowhere.txt"
    output: "a.txt"
    shell: "touch {output}"
# expect error: nowhere.txt
