rule all:
    input: "A.out"
rule a:
    input: "{nope}.in"
    output: "{s}.out"
    shell: "touch {output}"
# expect error: nope
