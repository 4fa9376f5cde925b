rule all:
    input: "a.txt"
rule one:
    output: "{x}.txt"
    shell: "touch {output}"
rule two:
    output: "{y}.txt"
    shell: "touch {output}"
ruleorder: two > one
# expect: rule two:
# expect no: rule one:
