r = range(2, 10, 3)
print(list(r), len(r), r[1], 8 in r, 9 in r, list(range(5, 0, -2)), range(3), r[-1], list(r[1:]))
# expect: [2, 5, 8] 3 5 True False [5, 3, 1] range(0, 3) 8 [5, 8]
