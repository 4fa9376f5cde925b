pathvars:
    here="some/place"
rule one:
    input: "<results>/in.txt"
    output: "<here>/out.txt"
    shell: "tool {input} {output}"
# file results/in.txt: x
# args: -n -p -c1
# expect: tool results/in.txt some/place/out.txt
