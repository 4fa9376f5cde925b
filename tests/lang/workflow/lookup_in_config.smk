config["tools"] = {"A": {"opts": "-x"}, "B": {"opts": "-y"}}
rule all:
    input: "A.txt"
rule one:
    output: "{s}.txt"
    params: opts=lookup(dpath="tools/{s}/opts", within=config), none=lookup("nix", within=config, default="d"), same=lookup("tools/{wildcards.s}/opts", within=config)
    shell: "tool {params.opts} {params.none} {params.same}"
# args: -n -p -c1
# expect: tool -x d -x
