checkpoint c:
    output: directory("d")
    shell: "mkdir {output}"
# expect: checkpoint c:
