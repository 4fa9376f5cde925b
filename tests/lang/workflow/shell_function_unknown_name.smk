x = 3
shell(
    "echo {x} "
    "{nope} > out"
)
# expect error: The name 'nope' is unknown in this context.
# expect error: (line 4, column 7)
# expect error: ^^^^
# ours only
