a, b = [1]
# expect error: ValueError: not enough values to unpack (expected 2, got 1)
