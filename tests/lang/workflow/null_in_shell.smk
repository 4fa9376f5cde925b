# A NUL would end the command for the shell: refused, as by Python, before anything runs.
rule a:
    output: "a.txt"
    shell: "touch a.txt; echo x\x00 > {output}"
# args: -c1
# expect error: ValueError: embedded null byte
