d = {1: "int"}
d[1.0] = "float"
d[True] = "bool"
print(d, d[1], 1.0 in d)  # expect: {1: 'bool'} bool True
