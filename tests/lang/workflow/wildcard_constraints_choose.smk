rule all:
    input: "12.txt", "ab.txt"
rule digits:
    output: "{x}.txt"
    wildcard_constraints: x=r"\d+"
    shell: "touch {output}"
rule letters:
    output: "{x,[a-z]+}.txt"
    shell: "touch {output}"
# expect: rule digits:
# expect: rule letters:
