# Sets and views of dicts: every way to combine them, in place or not, and what may not be hashed.
def tried(act, *args):
    try:
        return act(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


s, u = {1, 2, 3}, {1, 2, 3}
print(s.symmetric_difference([3, 4]), s.issubset([1, 2, 3, 4]), s.issuperset([1]), s.copy() == s)  # expect: {1, 2, 4} True True True
u.intersection_update([2, 3, 9])
u.symmetric_difference_update([3, 7])
print(sorted(u), u.__init__([4, 5]), sorted(u))  # expect: [2, 7] None [4, 5]
print(tried(hash, s), {1} in {frozenset([1])}, tried(lambda: s | [1]))  # expect: TypeError: unhashable type: 'set' True TypeError: unsupported operand type(s) for |: 'set' and 'list'
d = dict(a=1, b=2)
print(sorted(d.keys() & {"a"}), d.keys() | {"z"} == {"a", "b", "z"}, d.keys().isdisjoint(["z"]))  # expect: ['a'] True True
print(d.items().isdisjoint([("a", 1)]), list(reversed(d.items())), list(reversed(d.values())))  # expect: False [('b', 2), ('a', 1)] [2, 1]
x = ["old"]
print(x.__init__("ab"), x)  # expect: None ['a', 'b']
