# The function has returned something; what is in it is None.
rule a:
    input: lambda wildcards: ["a.in", {}.get("b")]
    output: "a.out"
# expect error: InputFunctionException: rule a: Function did not return str or iterable of str. Encountered: None (NoneType)
# expect error: and what get() gives for a key that is not there
