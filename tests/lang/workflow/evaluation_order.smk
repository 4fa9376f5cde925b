print("one")
def f(wc):
    print("input of", wc.x)
    return []
rule all:
    input: "A.t"
print("two")
rule a:
    input: f
    output: "{x}.t"
    shell: "touch {output}"
print("three")
# expect: one
# expect: two
# expect: three
# expect: input of A
