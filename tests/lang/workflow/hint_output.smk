# Nearly the name of what a rule makes.
rule all:
    input: "results/tabel.txt"
rule table:
    output: "results/table.txt"
    shell: "touch {output}"
# expect error: rule all needs 'results/tabel.txt', which does not exist and no rule makes
# expect error: hint: did you mean 'results/table.txt', which rule table makes?
