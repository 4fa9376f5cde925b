configfile: "config.yaml"
print(config["samples"], config["n"] + 1, config.get("none", "dflt"), config["nested"]["k"])
rule all:
    input: []
# file config.yaml: samples: [A, B]\nn: 3\nnested:\n  k: v\n
# expect: ['A', 'B'] 4 dflt v
