# workflow.include() is what the statement does; a file that is not there is so each time.
def all_of(*paths):
    for path in paths:
        workflow.include(os.path.join(os.getcwd(), path))

all_of("b.smk")
for i in range(2):
    try:
        workflow.include("none.smk")
    except FileNotFoundError:
        print("none", i)
rule mine:
    output: "mine.txt"
    shell: "touch {output} {other}"
workflow.include(os.path.join(os.getcwd(), "c.smk"), overwrite_default_target=True)
# file b.smk: other = "b"\nrule other:\n    output: "other.txt"\n    shell: "touch {output}"\n
# file c.smk: print("here", other)\nrule third:\n    output: "third.txt"\n    shell: "touch {output}"\n
# expect: none 0
# expect: none 1
# expect: here b
# expect: rule mine:
# expect no: rule other:
