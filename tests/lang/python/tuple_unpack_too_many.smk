a, b = 1, 2, 3
# expect error: ValueError: too many values to unpack (expected 2)
