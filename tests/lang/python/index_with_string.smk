[1, 2]["a"]
# expect error: TypeError: list indices must be integers or slices, not str
