rule a:
    input: x="a", "b"
# expect error: positional argument follows keyword argument
