# SPDX-License-Identifier: MIT
# What crossing to python3 costs: microseconds a crossing, beside the same work inside one interpreter.
#
#     build/tests/lang/lang-eval tests/bench/foreign.py
#     python3 tests/bench/foreign.py
import sqlite3
import time
from fractions import Fraction

N = 20000


def measure(name, work, n=N):
    begun = time.perf_counter()
    work()
    print(f"{name:32} {(time.perf_counter() - begun) / n * 1e6:8.2f} us")


def attribute():
    x = Fraction(1, 3)
    for _ in range(N):
        x.numerator


def operator():
    x = Fraction(1, 3)
    for _ in range(N):
        x > 0


def call():
    f = Fraction.from_float
    for _ in range(N):
        f(0.5)


COUNT = "with recursive c(x) as (select 1 union all select x + 1 from c where x < {}) "


def calls_back():
    db = sqlite3.connect(":memory:")
    db.create_function("f", 1, lambda n: n)
    db.execute(COUNT.format(N) + "select sum(f(x)) from c").fetchall()


def list_there():
    import pkgutil

    pkgutil.resolve_name("heapq").nlargest(1, list(range(100 * N)))


def rows_back():
    db = sqlite3.connect(":memory:")
    db.execute(COUNT.format(20 * N) + "select x, 'a' from c").fetchall()


measure("attribute", attribute)
measure("comparison", operator)
measure("call", call)
measure("call back", calls_back)
measure("item of a list that goes there", list_there, 100 * N)
measure("row of a table that comes back", rows_back, 20 * N)
