# A constraint is formatted into the path, whatever it is; None is none.
wildcard_constraints:
    w=1000,
    name=None


rule all:
    input: "a.1000.x.txt", "b.7.y.txt"


rule a:
    output: "a.{w}.{name}.txt"
    shell: "echo first {wildcards.w} {wildcards.name}"


rule b:
    output: "b.{w}.{name}.txt"
    wildcard_constraints:
        w=7,
        name=None
    shell: "echo second {wildcards.w} {wildcards.name}"
# args: -n -p -c1
# expect: echo first 1000 x
# expect: echo second 7 y
