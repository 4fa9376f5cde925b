# Foreign code makes deep copies of what holds functions and classes of the Snakefile: they are not copied themselves.
from tarfile import TarInfo


class Sized:
    def __len__(self):
        return 7


def twice(n):
    return 2 * n


info = TarInfo("one")
info.pax_headers = {"function": twice, "lambda": lambda n: n + 1, "class": Sized, "native": sorted}
copy = info.replace(name="two", deep=True)
headers = copy.pax_headers
print(copy.name, headers["function"](4), headers["lambda"](4), len(headers["class"]()), headers["native"]([2, 1]))  # expect: two 8 5 7 [1, 2]
print(headers["function"] is twice, headers["class"] is Sized)  # expect: True True
