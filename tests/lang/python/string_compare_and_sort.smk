print(sorted(["b10", "b9", "B1", "a"]), "a" < "aa", "Z" < "a", max("abc"), min(["x", "yy"], key=len))
print("abc" == "ab" + "c", "a" in "", "" in "a", "x" * -1 == "")
# expect: ['B1', 'a', 'b10', 'b9'] True True c x
# expect: True False True True
