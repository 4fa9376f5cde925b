print(expand("{smaple}.txt", sample=["A"]))
# expect error: WildcardError: No values given for wildcard 'smaple'.
# expect error: did you mean 'sample'?
