# An __index__ that empties what it is asked for.
from collections import deque
class Emptying:
    def __init__(self, items, number):
        self.items, self.number = items, number
    def __index__(self):
        self.items.clear()
        return self.number
def tried(kind, what):
    items = kind(range(65, 75))
    at = Emptying(items, 5)
    try:
        print(what(items, at), items, end="; ")
    except IndexError as e:
        print(e, end="; ")
def put(items, at, item):
    items[at] = item
def drop(items, at):
    del items[at]
for kind in list, deque, bytearray:
    tried(kind, lambda items, at: items[at])
    tried(kind, lambda items, at: put(items, at, 1))
    tried(kind, drop)
    print()
for kind in list, bytearray:
    tried(kind, lambda items, at: items[at:])
    tried(kind, lambda items, at: put(items, slice(at, None), b"abc"))
    tried(kind, lambda items, at: drop(items, slice(at, None)))
    tried(kind, lambda items, at: items.pop(at))
    tried(kind, lambda items, at: items.insert(at, 66))
    print()
tried(bytearray, lambda items, at: put(items, 5, at))
tried(bytearray, lambda items, at: items.insert(5, at))
print()
# expect: list index out of range; list assignment index out of range; list assignment index out of range;
# expect: deque index out of range; deque index out of range; deque index out of range;
# expect: bytearray index out of range; bytearray index out of range; bytearray index out of range;
# expect: [] []; None [97, 98, 99]; None []; pop from empty list; None [66];
# expect: bytearray(b'') bytearray(b''); None bytearray(b'abc'); None bytearray(b''); pop from empty bytearray; None bytearray(b'B');
# expect: bytearray index out of range; None bytearray(b'\x05');
