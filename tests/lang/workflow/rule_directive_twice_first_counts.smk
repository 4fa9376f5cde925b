rule a:
    output: "first.txt"
    threads: 1
    output: "second.txt"
    shell: "touch {output}"
# expect: output: first.txt
# expect no: second.txt
