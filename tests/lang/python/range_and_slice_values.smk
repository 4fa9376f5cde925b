# Ranges and slices are values: compared, hashed, searched and reversed without their items.
r = range(3, 30, 4)


def tried(act, *args):
    try:
        return act(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


print(r.index(7), r.index(7.0), tried(r.index, 8), r.count(7), r.count(8), r.count("x"))  # expect: 1 1 ValueError: 8 is not in range 1 0 0
print(r == range(3, 31, 4), r == range(3, 32, 4), range(0) == range(5, 2), r != [3])  # expect: True False True True
print(list(reversed(r)), list(reversed(range(0))), {range(2): "two"}[range(0, 2)])  # expect: [27, 23, 19, 15, 11, 7, 3] [] two
print(r[1:3], r[::-1], 7.0 in r, "a" in r, tried(lambda: r < r))  # expect: range(7, 15, 4) range(27, -1, -4) True False TypeError: '<' not supported between instances of 'range' and 'range'
s = slice(1, 10, 2)
print(s, s.start, s.stop, s.step, s.indices(5), s.indices(0), tried(s.indices, -1))  # expect: slice(1, 10, 2) 1 10 2 (1, 5, 2) (0, 0, 2) ValueError: length should not be negative
print(slice(None, None, -1).indices(4), slice(-3, None).indices(10))  # expect: (3, -1, -1) (7, 10, 1)
print(s == slice(1, 10, 2), s != slice(1), slice(1, 2) < slice(1, 3), slice(1) == 1)  # expect: True True True False
print(tried(slice), tried(slice(0, 5, 0).indices, 3), tried(slice("a").indices, 3))  # expect: TypeError: slice expected at least 1 argument, got 0 ValueError: slice step cannot be zero TypeError: slice indices must be integers or None or have an __index__ method
