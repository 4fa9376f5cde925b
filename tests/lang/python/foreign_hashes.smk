# A dict or set that goes over to python3 may have keys of ours: their hashes are asked for while it is filled.
import bisect
import pkgutil
import pprint

heapq = pkgutil.resolve_name("heapq")  # python3's own


class Key:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return hash(self.n)

    def __eq__(self, other):
        return isinstance(other, Key) and self.n == other.n

    def __lt__(self, other):
        return self.n < other.n

    def __repr__(self):
        return f"Key({self.n})"


print(pprint.pformat({Key(1): [1, {Key(2)}]}))
print(pprint.pformat({Key(3): {Key(4): {5: Key(6)}}}))

# A list there may be the only one that keeps an object of ours, until it comes back.
keys = []
for n in 3, 1, 2:
    heapq.heappush(keys, Key(n))
bisect.insort(keys, Key(0))
print(keys)
# expect: {Key(1): [1, {Key(2)}]}
# expect: {Key(3): {Key(4): {5: Key(6)}}}
# expect: [Key(0), Key(1), Key(3), Key(2)]
