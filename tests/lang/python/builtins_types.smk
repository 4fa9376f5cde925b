print(isinstance(1, int), isinstance("a", (int, str)), isinstance(True, int), type(1) == int, type("") is str)
print(type(1).__name__, type([]).__name__, type(None).__name__, type(lambda: 0).__name__)
print(callable(len), callable(3), hasattr("a", "upper"), getattr("a", "nope", 7))
print(str(1), str(None), str([1]), list("ab"), tuple([1]), bool("x"), float(3), int("7"))
# expect: True True True True True
# expect: int list NoneType function
# expect: True False True 7
# expect: 1 None [1] ['a', 'b'] (1,) True 3.0 7
