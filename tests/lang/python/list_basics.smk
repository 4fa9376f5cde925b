a = [3, 1, 2]
a.append(5)
a.extend((7, 8))
a.insert(0, 9)
print(a, len(a), a.pop(), a.pop(0), a)
a.remove(5)
print(a, a.index(1), a.count(2), sum(a), min(a), max(a))
a[1:2] = [10, 11]
del a[0]
print(a, a + [1], a * 2, [0] * 3, 10 in a)
a.reverse()
print(a, a[-1], a[::-1], a.copy() is a)
a.clear()
print(a)
# expect: [3, 1, 2, 5, 7] 7 8 9 [3, 1, 2, 5, 7]
# expect: [3, 1, 2, 7] 1 1 13 1 7
# expect: [10, 11, 2, 7] [10, 11, 2, 7, 1] [10, 11, 2, 7, 10, 11, 2, 7] [0, 0, 0] True
# expect: [7, 2, 11, 10] 10 [10, 11, 2, 7] False
# expect: []
