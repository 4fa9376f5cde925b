# Objects of modules that only python3 has behave as Python objects.
import decimal
import sqlite3
import xml.etree.ElementTree as ET
from fractions import Fraction

x = Fraction(1, 3) + Fraction(1, 6)
print(x, repr(x), x == Fraction(1, 2), x != 1, x * 2, 2 * x, 1 - x, x > 0, 0 < x <= 1, bool(x), not x, -x, abs(-x))
print(int(Fraction(7, 2)), float(x), round(Fraction(7, 2)), divmod(Fraction(7, 2), 1), x**2, 2 ** Fraction(2), pow(x, 2))
print(f"{decimal.Decimal('1.23456'):.2f}", "%s" % x, "{!r}".format(x), str(x) + "!")
print(isinstance(x, Fraction), isinstance(x, int), type(x) is Fraction, type(x).__name__, issubclass(Fraction, object))
print(callable(x), callable(Fraction), hasattr(x, "numerator"), hasattr(x, "nothing"), getattr(x, "nothing", "none"))
print("numerator" in dir(x), x.numerator, x.limit_denominator(1), Fraction.from_float(0.5))
print(sorted([Fraction(3, 2), Fraction(1, 2), 1]), max(Fraction(1, 3), Fraction(2, 3)), sum([Fraction(1, 3)] * 3))
y = decimal.Decimal(1)
y += 1
y *= decimal.Decimal("1.5")
print(y, [10, 20, 30][Fraction(2).numerator], (x := Fraction(5)) is x)

root = ET.fromstring("<a n='1'><b>x</b><c/><b>y</b></a>")
print(root.tag, len(root), [e.tag for e in root], root[0].text, root[-1].text, [e.text for e in root[::2]], root.attrib)
del root[1]
root[0].set("k", "v")
root[0].tail = "tail"
print(ET.tostring(root, encoding="unicode"), root.find("nothing"), root[0] is root[0], list(root.iter("b"))[1].text)
for first, second in [root]:
    print(first.text, second.text)
a, *rest = root
print(a.text, len(rest))

with sqlite3.connect(":memory:") as db:
    db.create_function("twice", 1, lambda n: 2 * n)
    db.row_factory = sqlite3.Row
    db.execute("create table t(a, b)")
    db.executemany("insert into t values(?, ?)", [(i, str(i)) for i in range(5)])
    rows = db.execute("select twice(a) as d, b from t")
    print(next(rows)["d"], [row["d"] for row in rows], list(rows))
    print(dict(db.execute("select a, b from t where a = ?", (3,)).fetchone()), db.in_transaction)
print(db.in_transaction)
print([tuple(r) for r in db.execute("select a from t where a in (select value from json_each(?))", ["[1, 4]"])])

# expect: 1/2 Fraction(1, 2) True True 1 1 1/2 True True True False -1/2 1/2
# expect: 3 0.5 4 (3, Fraction(1, 2)) 1/4 4 1/4
# expect: 1.23 1/2 Fraction(1, 2) 1/2!
# expect: True False True Fraction True
# expect: False True True False none
# expect: True 1 0 1/2
# expect: [Fraction(1, 2), 1, Fraction(3, 2)] 2/3 1
# expect: 3.0 30 True
# expect: a 3 ['b', 'c', 'b'] x y ['x', 'y'] {'n': '1'}
# expect: <a n="1"><b k="v">x</b>tail<b>y</b></a> None True y
# expect: x y
# expect: x 1
# expect: 0 [2, 4, 6, 8] []
# expect: {'a': 3, 'b': '3'} True
# expect: False
# expect: [(1,), (4,)]
