# Many folders come first: the rare ones are looked for in another way then.
rule all:
    input: expand("d{i}/x/y.txt", i=range(400)), "d7/x/y.txt/z/z.gz"

rule many:
    output: "d{i}/x/y.txt"
    wildcard_constraints: i=r"\d+"
    shell: "touch {output}"

rule below:
    output: "{d}.txt/z/z.gz"
    shell: "touch {output}"
# expect error: output 'd7/x/y.txt/z/z.gz' of rule below needs a directory 'd7/x/y.txt', but rule many makes that as a file
