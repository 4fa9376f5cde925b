def inputs(wildcards):
    pass
rule a:
    input: inputs
    output: "a.out"
# expect error: InputFunctionException: rule a: Function did not return str or iterable of str. Encountered: None (NoneType)
# expect error: hint: a function that ends without `return` gives None
