# Smaller parts of the standard library that helpers of workflows use.
import contextlib
import os
import re
from datetime import date
from itertools import batched
from pathlib import Path

print(list(batched("abcdefg", 3)), list(batched([], 2)), [sum(part) for part in batched(range(5), n=2)])
# expect: [('a', 'b', 'c'), ('d', 'e', 'f'), ('g',)] [] [1, 5, 4]
print(date.fromisocalendar(2024, 5, 2), date.fromisocalendar(2020, 53, 7), date.fromisocalendar(2024, 1, 1))
# expect: 2024-01-30 2021-01-03 2024-01-01
print(Path("/a/b").relative_to("/a/c", walk_up=True), Path("a/b").relative_to("a/x/y", walk_up=True), bytes(Path("é")))
# expect: ../b ../../b b'\xc3\xa9'
print(re.match(r"(\w)(\d)?", "a").regs, type(Path("a")).__name__)  # expect: ((0, 1), (0, 1), (-1, -1)) PosixPath
print(os.popen("echo one; echo two").read().split(), [line for line in os.popen("printf 'a\\nb\\n'")])
# expect: ['one', 'two'] ['a\n', 'b\n']
with os.popen("exit 3") as stream:
    print(stream.read() == "")  # expect: True
print(os.popen("exit 3").close(), os.popen("true").close())  # expect: 768 None
with os.popen("cat > said", "w") as stream:
    stream.write("x\n")
print(Path("said").read_text().strip(), Path("said").owner() == Path(".").owner(), Path("said").group() != "")
# expect: x True True
for wrong in (
    lambda: batched("a", 0),
    lambda: date.fromisocalendar(2024, 53, 1),
    lambda: date.fromisocalendar(2024, 1, 8),
    lambda: Path("a").relative_to("b"),
    lambda: Path("a").relative_to("/b", walk_up=True),
    lambda: Path("/a").relative_to(""),
    lambda: Path("/a").relative_to("b", walk_up=True),
    lambda: Path("a") / None,
    lambda: os.rename("nope", "b"),
    lambda: os.symlink("a", "said"),
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
        # expect: ValueError n must be at least one
        # expect: ValueError Invalid week: 53
        # expect: ValueError Invalid day: 8 (range is [1, 7])
        # expect: ValueError 'a' is not in the subpath of 'b'
        # expect: ValueError 'a' and '/b' have different anchors
        # expect: ValueError '/a' is not in the subpath of '.'
        # expect: ValueError '/a' and 'b' have different anchors
        # expect: TypeError unsupported operand type(s) for /: 'PosixPath' and 'NoneType'
        # expect: FileNotFoundError [Errno 2] No such file or directory: 'nope' -> 'b'
        # expect: FileExistsError [Errno 17] File exists: 'a' -> 'said'
print(Path("/a").is_relative_to(""), Path("a").is_relative_to(""))  # expect: False True
try:
    os.rename("nope", "b")
except OSError as error:
    print(error.filename, error.filename2, error.args)  # expect: nope b (2, 'No such file or directory')
Path("said").unlink()


class Documented:
    @property
    def size(self):
        """How big it is."""

    @size.setter
    def size(self, to): ...


print(Documented.size.__doc__, property(len).__doc__ is not None, property(None, doc="own").__doc__)
# expect: How big it is. True own
print(isinstance(open(os.devnull), contextlib.AbstractContextManager), isinstance(3, contextlib.AbstractContextManager))
# expect: True False
