# Special methods that a class takes from list and replaces; properties made from properties.
class Box(list):
    def __len__(self):
        return 7

    def __contains__(self, item):
        return item == "in"

    def __iter__(self):
        return iter("xyz")

    def __delattr__(self, name):
        print("deleted", name)

    def __radd__(self, other):
        return "added to", other

    @property
    def lid(self):
        return "open"

    @lid.deleter
    def lid(self):
        print("gone")


b = Box()
print(len(b), "in" in b, "out" in b, list(b), 1 + b, list.__len__(b), super(Box, b).__len__())  # expect: 7 True False ['x', 'y', 'z'] ('added to', 1) 0 0
del b.lid  # expect: deleted lid
print(Box.lid.getter(lambda self: "shut").fget(b), b.append == b.append, b.lid)  # expect: shut True open


def refused():
    class Guarded:
        def __delattr__(self, name):
            raise AttributeError(name)

    del Guarded().x


try:
    refused()
except AttributeError as error:
    print(error)  # expect: x
try:
    quit(4)
except SystemExit as end:
    print(end.code)  # expect: 4
