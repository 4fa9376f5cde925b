rule first:
    output: "a.txt"
    shell: "touch {output}"
rule second:
    output: "b.txt"
    shell: "touch {output}"
# expect: rule first:
# expect no: rule second
