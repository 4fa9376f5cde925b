rule table:
    output: "1.txt"
use rule tabel as more with:
    output: "2.txt"
# expect error: WorkflowError: Rule tabel is not defined
# expect error: hint: did you mean 'table'?
