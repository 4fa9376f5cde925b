if 1 + 1 == 2:
    rule yes:
        output: "a.txt"
        shell: "touch {output}"
else:
    rule no:
        output: "a.txt"
        shell: "touch {output}"
# expect: rule yes:
# expect no: rule no:
