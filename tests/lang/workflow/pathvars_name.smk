# A pathvar whose name no path can have in <> is refused: the path would be a folder of that name.
pathvars:
    Results="res"
rule one:
    output: "<Results>/out.txt"
    shell: "tool {output}"
# expect error: 'Results' cannot be the name of a pathvar
