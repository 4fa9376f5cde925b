WORDS = ["a b", "c"]
rule one:
    output: "x y"
    shell: "tool {WORDS} {WORDS:q} {output:q} {wildcards} {rule}"
# args: -n -p -c1
# expect: tool a b c 'a b' c 'x y'  one
