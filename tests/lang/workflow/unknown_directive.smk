rule a:
    inptu: "x"
# expect error: did you mean 'input'?
# expect error: :2:5
