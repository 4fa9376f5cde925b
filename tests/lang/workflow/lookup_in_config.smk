config["tools"] = {"A": {"opts": "-x"}, "B": {"opts": "-y"}}
rule all:
    input: "A.txt"
rule one:
    output: "{s}.txt"
    params: opts=lookup(dpath="tools/{s}/opts", within=config), none=lookup("nix", within=config, default="d")
    shell: "tool {params.opts} {params.none}"
# args: -n -p -c1
# expect: tool -x d
