rule all:
    input: "3.txt"
rule one:
    output: "{n}.txt"
    params: v=evaluate("int({n}) * 2")
    shell: "tool {params.v}"
# args: -n -p -c1
# expect: tool 6
