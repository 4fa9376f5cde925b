print("ab" * 3, 3 * "-", "x" * 0, "a" "b" 'c')  # expect: ababab ---  abc
print("a" + "b", "a" < "B", ord("a"), chr(233))  # expect: ab False 97 é
