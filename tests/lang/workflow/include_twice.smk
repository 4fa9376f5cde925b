include: os.path.join(os.getcwd(), "a.smk")
include: os.path.join(os.getcwd(), "b.smk")
# file a.smk: rule a:\n    output: "a.txt"\n    shell: "touch {output}"\n
# file b.smk: include: "a.smk"\n
# expect: Nothing to be done
