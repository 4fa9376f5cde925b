# A misspelt key of config, here deep inside it: the nearest one, and where config comes from.
configfile: "config.yaml"
rule all:
    input: lambda wildcards: config["tools"]["bwe"]["index"]
# file config.yaml: tools:\n  bwa: {index: x.idx}\n
# expect error: KeyError: 'bwe'
# expect error:  |                              ^^^^^^^^^^^^^^^^^^^^^^
# expect error: hint: did you mean 'bwa'?
# expect error: hint: config comes from config.yaml
