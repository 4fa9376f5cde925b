# The index of a parent that is not there is told.
from pathlib import Path

for index in 2, -3:
    try:
        Path("a/b").parents[index]
    except IndexError as e:
        print(repr(e), Path("a/b").parents[-1])
# expect: IndexError(2) .
# expect: IndexError(-3) .
