rows = [[i, i + 1] for i in range(40)]
print(list(map(max, *rows)))  # expect: [39, 40]
print(len(list(map(lambda *a: a, *rows))[0]))  # expect: 40
