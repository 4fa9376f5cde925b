print(round(2.5), round(3.5), round(-0.5), round(2.675, 2))  # expect: 2 4 0 2.67
print(round(1234.567, -2), round(0.5), round(1.5))  # expect: 1200.0 0 2
print(7.5 // 2, -7.5 // 2, 7.5 % 2, -7.5 % 2)  # expect: 3.0 -4.0 1.5 0.5
print((2.5).is_integer(), (3.0).is_integer())  # expect: False True
