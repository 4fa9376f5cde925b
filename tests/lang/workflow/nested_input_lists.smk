rule one:
    input: ["a", ["b", ("c",)]], n=["d", "e"], empty=[]
    output: "x"
    shell: "tool {input[2]} {input.n} [{input.empty}] {input}"
# file a: x
# file b: x
# file c: x
# file d: x
# file e: x
# args: -n -p -c1
# expect: tool c d e [] a b c d e
