# Methods of numbers that are rarely called by name.
def tried(act, *args):
    try:
        return act(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


print((2.5).__round__(), (2.567).__round__(2), (2.5).__floor__(), (-2.5).__ceil__())  # expect: 2 2.57 2 -2
print((2.5).conjugate(), (2.5).real, (2.5).imag, (0.1).hex(), float.fromhex("0x1.8p1"))  # expect: 2.5 2.5 0.0 0x1.999999999999ap-4 3.0
print(tried(float.fromhex, "xx"), tried(float("inf").as_integer_ratio), tried(float("nan").__floor__))  # expect: ValueError: invalid hexadecimal floating-point string OverflowError: cannot convert Infinity to integer ratio ValueError: cannot convert float NaN to integer
print((5).conjugate(), (5).real, (5).imag, (5).numerator, (5).denominator, (5).__float__())  # expect: 5 5 0 5 1 5.0
print((1234).__round__(-2), (1250).__round__(-2), (1350).__round__(-2), (-5).bit_count())  # expect: 1200 1200 1400 2
print(pow(3, -1, 11), pow(7, -3, 10), pow(7, 5, -13), tried(pow, 2, -1, 4), tried(pow, 7, 2, 0))  # expect: 4 7 -2 ValueError: base is not invertible for the given modulus ValueError: pow() 3rd argument cannot be 0
print((300).to_bytes(2, "big"), (-3).to_bytes(2, "little", signed=True), (5).to_bytes())  # expect: b'\x01,' b'\xfd\xff' b'\x05'
print(int.from_bytes(b"\x01\x02", "big"), int.from_bytes([255, 255], "big", signed=True))  # expect: 258 -1
c = 3 + 4j
print(bool(c), bool(0j), c.conjugate(), f"{c:.2f}|{c:>12}|{c:+.1e}|{c:g}|{c:<12.1f}|{c:^+14}|")  # expect: True False (3-4j) 3.00+4.00j|      (3+4j)|+3.0e+00+4.0e+00j|3+4j|3.0+4.0j    |   (+3+4j)    |
print(f"{c:,.1f} {1j:.3} {complex(0, -0.0)} {complex(1e20, 1)} {c:#.0f}", complex("1+2j"))  # expect: 3.0+4.0j 1j -0j (1e+20+1j) 3.+4.j (1+2j)
print(tried(format, c, "d"), tried(format, c, "020"), tried(format, c, "=20"), tried(complex, "1 + 2j"))  # expect: ValueError: Unknown format code 'd' for object of type 'complex' ValueError: Zero padding is not allowed in complex format specifier ValueError: '=' alignment flag is not allowed in complex format specifier ValueError: complex() arg is a malformed string
