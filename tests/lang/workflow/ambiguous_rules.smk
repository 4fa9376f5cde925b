rule all:
    input: "a.txt"
rule one:
    output: "{x}.txt"
    shell: "touch {output}"
rule two:
    output: "{y}.txt"
    shell: "touch {output}"
# expect error: one
# expect error: two
