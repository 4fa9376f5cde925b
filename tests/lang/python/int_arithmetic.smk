print(7 // 2, -7 // 2, 7 // -2)  # expect: 3 -4 -4
print(7 % 3, -7 % 3, 7 % -3)  # expect: 1 2 -2
print(2 ** 10, 2 ** -1, (-2) ** 3)  # expect: 1024 0.5 -8
print(7 / 2, 6 / 3)  # expect: 3.5 2.0
print(divmod(-7, 2), abs(-3), -(-4))  # expect: (-4, 1) 3 4
print(5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 5, -17 >> 2)  # expect: 1 7 6 -6 32 -5
