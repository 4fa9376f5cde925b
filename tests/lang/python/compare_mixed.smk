print(1 == 1.0, 1 == True, "1" == 1, None == False)  # expect: True True False False
print([1, 2] < [1, 3], (1, 2) < (1, 2, 0), "a" < "b")  # expect: True True True
print([1] == (1,), {1, 2} == {2, 1}, {"a": 1} == {"a": 1.0})  # expect: False True True
print(None is None, [] is not [], 3 in [1, 2, 3], 4 not in (1, 2))  # expect: True True True True
