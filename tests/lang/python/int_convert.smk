print(int("42"), int(" -7 "), int("ff", 16), int("0b101", 0), int(3.9), int(-3.9))  # expect: 42 -7 255 5 3 -3
print(int("1_000"), int(True), int())  # expect: 1000 1 0
print(hex(255), oct(8), bin(5), hex(-1))  # expect: 0xff 0o10 0b101 -0x1
print((5).bit_length(), round(15, -1), round(25, -1))  # expect: 3 20 20
