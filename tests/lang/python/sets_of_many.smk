# Set operations take as long as what they are given, not as what they leave: these would take minutes.
n = 40000
numbers = set(range(n))
print(len(numbers.difference(*([i] for i in range(0, n, 2)))))  # expect: 20000
print(len(numbers.difference(*({i} for i in range(0, n, 2)))))  # expect: 20000
left = set(numbers)
left.difference_update(*([i] for i in range(n - 1)))
print(left)  # expect: {39999}
left = set(numbers)
for i in range(n - 1):
    left -= {i}
print(left)  # expect: {39999}
print(sum(len(numbers & {i}) for i in range(n)))  # expect: 40000
print(sum(numbers.isdisjoint([i]) for i in range(n)))  # expect: 0
few = set(range(10))
for i in range(10):
    few -= numbers - {i}
print(few)  # expect: set()


# They call no __hash__ again, and each may meet an __eq__ that changes the sets.
class Key:
    asked = 0

    def __init__(self, n):
        self.n = n

    def __hash__(self):
        Key.asked += 1
        return self.n // 2

    def __eq__(self, other):
        return self.n == other.n


keys, more = {Key(n) for n in range(20)}, {Key(n) for n in range(10, 30)}
Key.asked = 0
print(sorted(key.n for key in keys & more))  # expect: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
print(len(keys - more), len(keys | more), len(keys ^ more))  # expect: 10 30 20
keys -= more
keys ^= more
print(len(keys), Key.asked)  # expect: 30 0


class Clears:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        a.clear()
        b.clear()
        return False


for change in ("a - b", "a & b", "a ^ b", "a | b", "a.difference(b)", "a.difference_update(b)", "a.update(b)"):
    a, b = {Clears(), 2, 3}, {Clears(), 4}
    try:
        eval(change)
    except RuntimeError:
        pass
print("still here")  # expect: still here
