# A case that does not match leaves its names as they were; one that does binds them before its guard.
x = y = rest = "old"
match [1, 2]:
    case [x, 3]:
        print("no")
    case {"a": y, **rest}:
        print("no")
    case (x, y) as rest if x > 5:
        print("no")
    case _:
        print(x, y, rest)  # expect: 1 2 [1, 2]


def kind(value):
    match value:
        case {"a": first, "b": [second, *others], **left}:
            return "mapping", first, second, others, left
        case [("p", first) | (first, "q"), {"k": second}]:
            return "or", first, second
        case [first, [second, third]] if first == third:
            return "guard", second
        case str(first) | int(first):
            return "class", first
    return sorted(locals())


print(kind({"a": 1, "b": [2, 3, 4], "c": 5}))  # expect: ('mapping', 1, 2, [3, 4], {'c': 5})
print(kind([("p", 1), {"k": 2}]), kind([(3, "q"), {"k": 4}]))  # expect: ('or', 1, 2) ('or', 3, 4)
print(kind([7, [8, 7]]), kind("s"), kind(9))  # expect: ('guard', 8) ('class', 's') ('class', 9)
print(kind([7, [8, 9]]), kind([("p", 1), {"l": 2}]))  # expect: ['first', 'second', 'third', 'value'] ['value']
