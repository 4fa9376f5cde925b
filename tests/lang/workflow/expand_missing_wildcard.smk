print(expand("{a}{b}", a=1))
# expect error: b
