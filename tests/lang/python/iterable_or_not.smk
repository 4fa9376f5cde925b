def tell(f, *args):
    try:
        print(f(*args))
    except TypeError as e:
        print("TypeError", e)


class OnlyNext:
    def __next__(self):
        raise StopIteration


class Refuses:
    __iter__ = None

    def __getitem__(self, i):
        return [1][i]


class Indexed:
    def __getitem__(self, i):
        return [1, 2][i]


class Zipped(zip):
    pass


class GivesNext:
    def __iter__(self):
        return OnlyNext()


class GivesNothing:
    def __iter__(self):
        return 1


for make in (list, tuple, set, enumerate, iter, sum, sorted, dict, max):
    for x in (OnlyNext(), Refuses()):
        tell(make, x)
for x in (OnlyNext(), Refuses(), GivesNothing()):
    tell(lambda: [i for i in x])
print(list(Indexed()), list(Zipped("ab", "cd")), list(GivesNext()), next(OnlyNext(), "end"))

# expect: TypeError 'OnlyNext' object is not iterable
# expect: TypeError 'Refuses' object is not iterable
# expect: TypeError 'OnlyNext' object is not iterable
# expect: TypeError 'Refuses' object is not iterable
# expect: TypeError 'OnlyNext' object is not iterable
# expect: TypeError 'Refuses' object is not iterable
# expect: TypeError 'OnlyNext' object is not iterable
# expect: TypeError 'Refuses' object is not iterable
# expect: TypeError 'OnlyNext' object is not iterable
# expect: TypeError 'Refuses' object is not iterable
# expect: TypeError 'OnlyNext' object is not iterable
# expect: TypeError 'Refuses' object is not iterable
# expect: TypeError 'OnlyNext' object is not iterable
# expect: TypeError 'Refuses' object is not iterable
# expect: TypeError 'OnlyNext' object is not iterable
# expect: TypeError 'Refuses' object is not iterable
# expect: TypeError 'OnlyNext' object is not iterable
# expect: TypeError 'Refuses' object is not iterable
# expect: TypeError 'OnlyNext' object is not iterable
# expect: TypeError 'Refuses' object is not iterable
# expect: TypeError iter() returned non-iterator of type 'int'
# expect: [1, 2] [('a', 'c'), ('b', 'd')] [] end
