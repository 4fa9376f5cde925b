print(multiext("a/b", ".x", ".y"))  # expect: ['a/b.x', 'a/b.y']
rule a:
    output: multiext("out", ".1", ".2")
    shell: "touch {output}"
# expect: output: out.1, out.2
