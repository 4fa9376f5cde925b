print(1.0 / 3 > 0.33)  # expect: True
1 / 0
# expect error: ZeroDivisionError: division by zero
