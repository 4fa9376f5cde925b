int("12x")
# expect error: ValueError: invalid literal for int() with base 10: '12x'
