table = str.maketrans({"a": "1", "b": None})
print("abc".translate(table), "xyz".translate(str.maketrans("xy", "12")))  # expect: 1c 12z
