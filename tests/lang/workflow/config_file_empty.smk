# What is left of a file when a disk was full, say: nothing that anybody meant.
configfile: "config.yaml"
rule all:
    input: []
# file config.yaml: # nothing\n
# expect error: Config file config.yaml is empty: it has to have keys at top level
