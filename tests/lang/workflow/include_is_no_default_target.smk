include: os.path.join(os.getcwd(), "b.smk")
rule mine:
    output: "mine.txt"
    shell: "touch {output}"
# file b.smk: rule other:\n    output: "other.txt"\n    shell: "touch {output}"\n
# expect: rule mine:
# expect no: rule other:
