# '#' without a type: a point before the exponent, too.
for spec in "#", "#.0", "#.1", "#.3":
    print([format(v, spec) for v in (2.5, 1e16, 100000.0, 1e-7)])
# expect: ['2.5', '1.e+16', '100000.0', '1.e-07']
# expect: ['2.e+00', '1.e+16', '1.e+05', '1.e-07']
# expect: ['2.e+00', '1.e+16', '1.e+05', '1.e-07']
# expect: ['2.50', '1.00e+16', '1.00e+05', '1.00e-07']
print(format(float("inf"), "012,"), format(float("-inf"), "=015_e"), f"{0:010,}")  # expect: 000000000inf -00000000000inf 00,000,000
