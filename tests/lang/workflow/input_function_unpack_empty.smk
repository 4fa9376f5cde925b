import os


def found(wildcards):
    return {"weights": [], "tracks": expand("x{s}", s=[]), "one": "in.txt"}


rule all:
    input:
        "a.txt",
        "b.txt",
        "c.txt",


rule a:
    input:
        unpack(found),
    output: "a.txt"
    shell: "echo a [{input.weights}] [{input.tracks}] [{input.one}] | tee {output}"


rule b:
    input:
        unpack(found),
    output: "b.txt"
    run:
        print("b", list(input.weights), list(input.tracks), input.get("weights", "none"), len(input))
        shell("touch {output}")


rule c:
    input:
        unpack(found),
    output: "c.txt"
    script: os.path.abspath("c.py")
# args: -c1
# file in.txt: 1
# file c.py: print("c", list(snakemake.input.weights), len(snakemake.input))\nopen(snakemake.output[0], "w").close()
# expect: a [] [] [in.txt]
# expect: b [] []  1
# expect: c [] 1
