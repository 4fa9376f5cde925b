# A NUL in a path would cut it off: refused, whether the path is written or comes from a function.
rule a:
    input: lambda w: "in\x00.txt"
    output: "a.txt"
    shell: "touch {output}"


for directive in "input", "output", "log":
    try:
        if directive == "input":
            rule b:
                input: "b\0.txt"
                shell: "true"
        elif directive == "output":
            rule c:
                output: ["c.txt", "c\0.txt"]
                shell: "true"
        else:
            rule d:
                log: "d\0.log"
                shell: "true"
    except ValueError as e:
        print(directive, e)
# expect: input embedded null byte
# expect: output embedded null byte
# expect: log embedded null byte
# expect error: InputFunctionException: rule a: ValueError: embedded null byte
