wildcard_constraints:
    n="[0-9]+"


rule all:
    input: "1_x_1.txt"


rule make:
    output: "{n}_{name,[a-z]}_{n}.txt"
    shell: "touch {output}"
