# The same holds for pathvars of a config file.
# file config.yaml: pathvars: {Results: res}\n
configfile: "config.yaml"
rule one:
    output: "out.txt"
    shell: "tool {output}"
# expect error: 'Results' cannot be the name of a pathvar
