try:
    raise ValueError("v")
except ValueError as e:
    pass
print("e" in globals())  # expect: False
