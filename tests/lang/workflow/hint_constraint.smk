# A rule would make the file if its wildcard were free.
wildcard_constraints:
    s="[0-9]+"
rule all:
    input: "A.out"
rule a:
    output: "{s}.out"
    shell: "touch {output}"
# expect error: rule all needs 'A.out', which does not exist and no rule makes
# expect error: hint: rule a makes '{s}.out', but s=A does not match its constraint '[0-9]+'
