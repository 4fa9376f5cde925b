# args: -n tabel.txt
rule table:
    output: "table.txt"
    shell: "touch {output}"
# expect error: No rule to produce tabel.txt
# expect error: hint: did you mean 'table.txt', which rule table makes?
