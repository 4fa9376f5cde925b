rule a:
  "What a does."

    output: "a.txt"
    params:
        x=1,
    shell: "echo {params.x} > {output}"


if True:
    rule b:
      """What b does."""
        output: "b.txt"
      input: "a.txt"
      shell: "touch {output}"


print(rules.b.output[0], rules.b.input[0])
# args: --list-rules
# expect: b.txt a.txt
# expect: a (What a does.)
# expect: b (What b does.)
