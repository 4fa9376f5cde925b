total = 1 + \
    2 + \
    3
values = [
    1,  # one

    2,
]
text = ("a"
        "b"
        'c')
if (total == 6 and
        values):
    print(total, values, text)  # expect: 6 [1, 2] abc
x = 1; y = 2; print(x, y)  # expect: 1 2
