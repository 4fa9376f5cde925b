rule all:
    input: "A.out"
rule one:
    input: expand("{x}.{{s}}.txt", x=lambda wc: [wc.s + "1", wc.s + "2"])
    output: "{s}.out"
    shell: "tool {input}"
# file A1.A.txt: x
# file A2.A.txt: x
# args: -n -p -c1
# expect: tool A1.A.txt A2.A.txt
