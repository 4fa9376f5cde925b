# An empty path cannot be made: refused before anything runs, with its place.
rule a:
    output:
        "x",
        "",
    shell: "touch x"
# expect error: an output of rule a is an empty path
