[1, 2][2]
# expect error: IndexError: list index out of range
