# A flagged path that is filled in keeps its flags, as of 9.26.
path = directory(temp("{name}/d")).format(name="a")
print(path, type(path).__name__)  # expect: a/d AnnotatedString
print(type("{}".format(1)).__name__)  # expect: str

rule all:
    input: "b.txt"

rule a:
    output: path
    shell: "mkdir -p {output}"

rule b:
    input: "a/d"
    output: "b.txt"
    shell: "touch {output}"
# args: -n -c1 -F
# expect: output: a/d
