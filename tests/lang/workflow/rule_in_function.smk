def make_rule(name, ext):
    rule:
        name: name
        output: f"{name}.{ext}"
        shell: "touch {output}"
make_rule("one", "txt")
# expect: rule one:
# expect: output: one.txt
