# Text of huge ints: in bases that are powers of two it takes as long as it is, in base 10 it is refused at once.
import time

begin = time.time()
number = (1 << 4000000) - 1
text = hex(number)
print(len(text), set(text[2:]), int(text, 16) == number, len(bin(number)), int("1" * 4000000, 2) == number)  # expect: 1000002 {'f'} True 4000002 True
for ask in (lambda: str(number), lambda: f"{-number}", lambda: int("1" * 4000000)):
    try:
        print(len(ask()))
    except ValueError as e:
        print(str(e).split(";")[0])
    # expect: Exceeds the limit (4300 digits) for integer string conversion
    # expect: Exceeds the limit (4300 digits) for integer string conversion
    # expect: Exceeds the limit (4300 digits) for integer string conversion: value has 4000000 digits
print(time.time() - begin < 20)  # expect: True
print(len(str(10**4300 - 1)), len(str(1 - 10**4300)))  # expect: 4300 4301
for n in (0, 1, -1, 31, 32, 2**31, -(2**32), 2**63 - 1, 2**64, -(2**65) + 3, 8**40 + 7, 16**33 - 1, 32**20):
    for digits in (bin(n), oct(n), hex(n), f"{n:x}", f"{n:#o}"):
        base = {"b": 2, "o": 8, "x": 16}.get(digits.lstrip("-")[1:2], 16)
        if int(digits, base) != n:
            print("wrong", n, digits)
print(hex(-(2**65) + 3), oct(8**40 + 7), bin(2**64)[-5:], f"{2**100:_x}")  # expect: -0x1fffffffffffffffd 0o10000000000000000000000000000000000000007 00000 10_0000_0000_0000_0000_0000_0000
print(int("z" * 30, 36), int("v" * 30, 32), int("3" * 40, 4), int("0" * 100 + "7", 8), int("-0b" + "10" * 40, 0))  # expect: 48873677980689257489322752273774603865660850175 1427247692705959881058285969449495136382746623 1208925819614629174706175 7 -805950546409752783137450
