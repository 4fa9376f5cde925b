match = 1
case = 2
type = "t"
_ = 3
print(match, case, type, _)  # expect: 1 2 t 3
