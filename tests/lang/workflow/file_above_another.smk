rule all:
    input: "a/b/c", "a.x", "a-/b", "a"

rule file:
    output: "a"
    shell: "touch {output}"

rule near:
    output: "a.x", "a-/b"
    shell: "touch {output}"

rule below:
    output: "a/b/c"
    shell: "touch {output}"
# expect error: output 'a/b/c' of rule below needs a directory 'a', but rule file makes that as a file
