rule a:
    "What a does."
    output: "a.txt"
    shell: "touch {output}"
# args: --list-rules
# expect: What a does.
