def inputs(wildcards):
    pass
rule a:
    input: inputs
    output: "a.out"
# expect error: InputFunctionException: rule a: Function did not return str or iterable of str. Encountered: None (NoneType)
# expect error: hint: None is what a function gives that ends without `return`, and what get() gives for a key that is not there
