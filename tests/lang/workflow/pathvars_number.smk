# So is one that is no text, even if nothing refers to it.
pathvars:
    run=5
rule one:
    output: "out.txt"
    shell: "tool {output}"
# expect error: the pathvar 'run' has to be a text, not int
