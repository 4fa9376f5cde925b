# What methods with a name in underscores give back is checked; comparing may change the container that compares.
import functools


def tell(f, *args, **kwargs):
    try:
        print(f(*args, **kwargs))
    except Exception as e:
        print(type(e).__name__, e)


class Odd:
    __match_args__ = (1,)
    a = 1

    def give(self, *args):
        return "x" if args != ("",) else 1

    __index__ = __int__ = __float__ = __hash__ = __bool__ = __len__ = give


class Unprinted:
    def __format__(self, spec):
        return 1


for f in (bin, int, float, hash, bool, len, chr, range, [1].__getitem__, round):
    tell(f, Odd()) if f is not round else tell(f, 1.5, Odd())
tell(format, Unprinted())


def matched(x):
    match x:
        case Odd(1):
            return "matched"


def matched_twice(x):
    Odd.__match_args__ = ("a",)
    match x:
        case Odd(1, a=1):
            return "matched"


def matched_list(x):
    Odd.__match_args__ = ["a"]
    match x:
        case Odd(1):
            return "matched"


for f in (matched, matched_twice, matched_list):
    tell(f, Odd())


def named(**kwargs):
    return kwargs


partial = functools.partial(named)
partial.keywords[1] = 2
tell(partial)
print("1=2)" in repr(partial))
print(list(enumerate("ab", 2**70)), list(enumerate("ab", 2**63 - 1)))


def free():
    x = 1

    def inner():
        return x
    return inner


tell(exec, free().__code__)


class Clears:
    """Equal to nothing; the first of them that is compared makes another of the container."""

    def __init__(self, where, then):
        self.where, self.then = where, then

    def __hash__(self):
        return 1

    def __eq__(self, other):
        if self.where:
            container = self.where.pop()
            container.clear()
            container.update(self.then)
        return False


for kind, then in ((set, {1}), (dict.fromkeys, {1: 2})):
    for change in (lambda a, b: a.update(b), lambda a, b: b.update(a), lambda a, b: a == b, lambda a, b: 1 in a):
        where = []
        many = kind([Clears(where, then), Clears(where, then), 2])
        where.append(many)
        try:
            change(many, kind([Clears(where, then), 1, 2]))
        except (RuntimeError, KeyError):
            pass
print("alive")

# expect: TypeError __index__ returned non-int (type str)
# expect: TypeError __int__ returned non-int (type str)
# expect: TypeError Odd.__float__ returned non-float (type str)
# expect: TypeError __hash__ method should return an integer
# expect: TypeError __bool__ should return bool, returned str
# expect: TypeError 'str' object cannot be interpreted as an integer
# expect: TypeError __index__ returned non-int (type str)
# expect: TypeError __index__ returned non-int (type str)
# expect: TypeError __index__ returned non-int (type str)
# expect: TypeError __index__ returned non-int (type str)
# expect: TypeError __format__ must return a str, not int
# expect: TypeError __match_args__ elements must be strings (got int)
# expect: TypeError Odd() got multiple sub-patterns for attribute 'a'
# expect: TypeError Odd.__match_args__ must be a tuple (got list)
# expect: TypeError keywords must be strings
# expect: True
# expect: [(1180591620717411303424, 'a'), (1180591620717411303425, 'b')] [(9223372036854775807, 'a'), (9223372036854775808, 'b')]
# expect: TypeError code object requires a closure of exactly length 1
# expect: alive


class Short:
    def __len__(self):
        return 3

    def __getitem__(self, i):
        if i < 1:
            raise IndexError("no more")
        return i


print(list(reversed(Short())))
# expect: [2, 1]
