inputflags: access.sequential

rule all:
    input: "a.out"

rule one:
    input: "in.txt", x=access.random(lambda wc: "more.txt")
    output: "{s}.out"
    shell: "cat {input} > {output}"
# file in.txt: x
# file more.txt: x
# expect: input: in.txt (access: sequential), more.txt (access: random)
