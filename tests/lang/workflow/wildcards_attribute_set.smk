# Input functions may set attributes of what they are given.
def grouped(wildcards):
    wildcards.group = "G" + wildcards.s
    wildcards.s = wildcards.s.upper()
    assert wildcards.get("group") == "Ga" and wildcards["group"] == "Ga" and "group" not in wildcards.keys()
    return f"{wildcards.group}{wildcards.s}.in"

rule all:
    input: "a.out"

rule one:
    input: grouped
    output: "{s}.out"
    shell: "echo {input} > {output}"
# file GaA.in: x
# expect: input: GaA.in
