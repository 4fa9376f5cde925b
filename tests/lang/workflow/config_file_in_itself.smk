open("deep.json", "w").write('{"a": ' * 100000 + "1" + "}" * 100000)
open("deep.yaml", "w").write("a: " + "[" * 100000 + "]" * 100000)
open("list.yaml", "w").write("a: &x [1, *x]\n")
for name in ("deep.json", "deep.yaml", "list.yaml"):
    try:
        configfile: name
    except Exception as e:
        print(name, type(e).__name__)
configfile: "itself.yaml"
# file itself.yaml: a: &x\n  b: *x\n
# expect: deep.json WorkflowError
# expect: deep.yaml WorkflowError
# expect: list.yaml WorkflowError
# expect error: Config file itself.yaml is nested too deeply, or an alias in it stands inside of what it means.
