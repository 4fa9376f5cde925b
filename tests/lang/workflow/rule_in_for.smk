names = []
for i in range(3):
    names.append(f"f{i}.txt")
    rule:
        output: names[-1]
        shell: "touch {output}"
rule all:
    default_target: True
    input: names
# expect: output: f0.txt
# expect: output: f1.txt
# expect: output: f2.txt
