s = "banana"
print(s.find("an"), s.rfind("an"), s.find("x"), s.index("n"), s.count("an"))
print(s.startswith("ba"), s.startswith(("x", "b")), s.endswith("na"), "nan" in s)
print(s.replace("a", "o"), s.replace("a", "o", 1), "aaa".replace("", "-"))
# expect: 1 3 -1 2 2
# expect: True True True True
# expect: bonono bonana -a-a-a-
