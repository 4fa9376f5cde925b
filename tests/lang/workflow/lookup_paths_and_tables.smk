# Lists are counted from their end, too; a series is a table of one column, and what it cannot do is told as a LookupError.
data = {"list": ["p", {"c": 2}], "one": {"x": 1}}


class Table:
    columns = ["n"]

    def query(self, text):
        raise KeyError("no column of that name")


class Series:
    def keys(self):
        return []

    def to_frame(self):
        return Table()


print(lookup("list/-1/c", within=data), lookup("list/-2", within=data), lookup("list/-3", within=data, default="none"))
print(lookup("/one/x", within=data), lookup("one/x/", within=data, default="none"))
for within, cols in (Table(), None), (Series(), None), (Table(), 3):
    try:
        lookup("n > 0", within=within, cols=cols)
    except WorkflowError as error:
        print(str(error).split(".")[0])


rule all:
    input: []
# args: -n
# expect: 2 p none
# expect: 1 none
# expect: Error in lookup function with query: 'n > 0'
# expect: Error in lookup function with query: 'n > 0'
# expect: The cols argument has to be either a str or a list of str
