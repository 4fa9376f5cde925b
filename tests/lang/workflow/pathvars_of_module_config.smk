# And for those of the config that a module is given.
# file m.smk: rule one:\n    output: "<results>/out.txt"\n    shell: "tool {output}"\n
module m:
    snakefile: "m.smk"
    config: {"pathvars": {"results": 7}}
use rule * from m
# expect error: the pathvar 'results' has to be a text, not int
