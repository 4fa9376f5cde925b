# While a list is sorted it is empty; what is done to it meanwhile is undone and complained about.
numbers = [3, 1, 2]
lengths = []
numbers.sort(key=lambda n: lengths.append(len(numbers)) or n)
print(numbers, lengths)  # expect: [1, 2, 3] [0, 0, 0]


def grow(n):
    numbers.append(n)
    return -n


try:
    numbers.sort(key=grow)
except ValueError as e:
    print(e, numbers)  # expect: list modified during sort [3, 2, 1]


class Meddler:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        things[:] = [None]
        return self.n < other.n


things = [Meddler(n) for n in (2, 3, 1)]
try:
    things.sort()
except ValueError as e:
    print(e, [thing.n for thing in things])  # expect: list modified during sort [1, 2, 3]


def fails(n):
    numbers.clear()
    raise KeyError(n)


try:
    numbers.sort(key=fails)
except KeyError as e:
    print(repr(e), numbers)  # expect: KeyError(3) [3, 2, 1]
