# Plain values cross to modules that only python3 has, and back, as they are.
import pprint
from ast import literal_eval
from fractions import Fraction

shown = pprint.pformat


def back(x):
    """What comes back of a value that went there as text."""
    return literal_eval(shown(x))


for x in (None, True, False, 0, -1, 2**31, -(2**31), 2**62, 2**63, -(2**64), 10**40, 1.5, float("inf"), 1j, "", "abc",
          "\0a\0", "äöü€😀", b"", b"\xff\x00", [], [1, [2, [3]]], (), (1,), {}, {"a": {"b": [1]}}, {1, 2}, {(1, 2): "t"}):
    print(shown(x))
    if x != float("inf"):
        assert back(x) == x and type(back(x)) is type(x), x

# A namespace of python3 keeps what it is given, and gives it back.
from argparse import Namespace

space = Namespace(text="\ud800 alone", many=list(range(1000)), rows=[(i, str(i)) for i in range(300)])
print(space.text == "\ud800 alone", sum(space.many), space.rows[-1], len(space.rows))
space.ellipsis, space.pair, space.rng, space.cut = ..., (..., 1), range(2, 10, 3), slice(1, None, 2)
print(space.ellipsis, space.pair, space.cut, list(space.rng))
from pathlib import Path

space.path = Path("a") / "b.txt"
print(space.path, space.path.parent, isinstance(space.path, Path))
from datetime import date, datetime, timedelta

space.day, space.time, space.delta = date(2024, 2, 29), datetime(2024, 2, 29, 12, 30), timedelta(days=1, seconds=5)
print(space.day + space.delta, space.time.isoformat(), space.delta)
from collections import OrderedDict

space.ordered = OrderedDict([("b", 1), ("a", 2)])
print(list(space.ordered.items()))
space.kind, space.error, space.func = str, ValueError, len
print(space.kind is str, space.error is ValueError, space.kind(5), space.func([1, 2]))
print(Fraction("1/3") in [Fraction(1, 3)], {Fraction(4, 2): "two"}[2], {2: "two"}[Fraction(2)], hash(Fraction(7)) == hash(7))

# expect: None
# expect: True
# expect: False
# expect: 0
# expect: -1
# expect: 2147483648
# expect: -2147483648
# expect: 4611686018427387904
# expect: 9223372036854775808
# expect: -18446744073709551616
# expect: 10000000000000000000000000000000000000000
# expect: 1.5
# expect: inf
# expect: 1j
# expect: ''
# expect: 'abc'
# expect: '\x00a\x00'
# expect: 'äöü€😀'
# expect: b''
# expect: b'\xff\x00'
# expect: []
# expect: [1, [2, [3]]]
# expect: ()
# expect: (1,)
# expect: {}
# expect: {'a': {'b': [1]}}
# expect: {1, 2}
# expect: {(1, 2): 't'}
# expect: True 499500 (299, '299') 300
# expect: Ellipsis (Ellipsis, 1) slice(1, None, 2) [2, 5, 8]
# expect: a/b.txt a True
# expect: 2024-03-01 2024-02-29T12:30:00 1 day, 0:00:05
# expect: [('b', 1), ('a', 2)]
# expect: True True 5 2
# expect: True two two True
