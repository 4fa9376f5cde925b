# Classes whose instances only the interpreter makes cannot be called, neither by way of a subclass.
import copy
import re
import sys


def refused(make):
    try:
        make()
    except TypeError:
        return True


kinds = [type(lambda: 1), type(x for x in ""), type({}.items()), type(open), type(sys.version_info)]
print([refused(kind) for kind in kinds])  # expect: [True, True, True, True, True]
print([refused(lambda: object.__new__(kind)) for kind in kinds + [int, ValueError]])  # expect: [True, True, True, True, True, True, True]
match = re.match("(a)", "a")
print(copy.copy(match) is match, copy.deepcopy(match).group(1))  # expect: True a


class Plain:
    pass


class Number(int):
    pass


print(type(object.__new__(Plain)).__name__, int.__new__(Number, 5) + 1)  # expect: Plain 6
