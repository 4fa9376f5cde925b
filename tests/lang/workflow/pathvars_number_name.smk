# Nor can a number be one, which YAML allows: "<5>" stands for itself.
# file config.yaml: pathvars: {5: res}\n
configfile: "config.yaml"
rule one:
    output: "<5>/out.txt"
    shell: "tool {output}"
# expect error: '5' cannot be the name of a pathvar
