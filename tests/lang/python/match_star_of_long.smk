# [a, *_] looks at the items that it names alone.
def first(x):
    match x:
        case [a, *_, b] if a != b:
            return a, b
        case [a, *_]:
            return a
        case [*_]:
            return "empty"
        case _:
            return "no sequence"
print(first(range(10 ** 12)), first("ab"), first([7]), first([]), first((1, 2, 1))) # expect: (0, 999999999999) no sequence 7 empty 1
match [1, [2, 3, 4], 5, 6]:
    case [x, [y, *_], *_, (5 | 6) as z]:
        print(x, y, z) # expect: 1 2 6
match range(3):
    case [*all_of_them]:
        print(all_of_them) # expect: [0, 1, 2]
match [1, 2]:
    case [_, _, *_, _]:
        print("three")
    case [*_, 3] | [3, *_]:
        print("3")
    case [*_, last]:
        print(last) # expect: 2
class Odd(int):
    def __eq__(self, other):
        return False
    __hash__ = int.__hash__
print(Odd(1) == 1, Odd(1) != 1) # expect: False False
