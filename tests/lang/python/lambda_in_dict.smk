ops = {"add": lambda a, b: a + b, "neg": lambda a, b=0: -a}
print(ops["add"](2, 3), ops["neg"](4), (lambda: None)())  # expect: 5 -4 None
