# shell() fills in positional arguments, and names from the call, its caller and the Snakefile.
which = "globals"
shell("echo {0} {k} {which} {1[1]}", "p0", ["x", "y"], k=9)  # expect: p0 9 globals y
shell("echo {} {:q}", "a", "b  c")  # expect: a b  c
print(shell("echo {0}", [1, 2], read=True), end="")  # expect: 1 2
shell(cmd="echo by keyword")  # expect: by keyword
for command in ["{2}", "{}{}{}", "{0}{}"]:
    try:
        shell(command, "a", "b")
    except (IndexError, ValueError) as error:
        print(type(error).__name__)
# expect: IndexError
# expect: IndexError
# expect: ValueError


rule all:
    default_target: True
