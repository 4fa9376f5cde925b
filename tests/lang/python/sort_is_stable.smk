rows = [("b", 1), ("a", 1), ("c", 0)]
print(sorted(rows, key=lambda r: r[1]))  # expect: [('c', 0), ('b', 1), ('a', 1)]
print(sorted(rows, key=lambda r: r[1], reverse=True))  # expect: [('b', 1), ('a', 1), ('c', 0)]
