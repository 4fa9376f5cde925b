import bisect
from bisect import bisect_left, insort

a = [1, 3, 3, 5]
print(bisect.bisect(a, 3), bisect_left(a, 3), bisect.bisect_right(a, 9), bisect_left(a, 0))  # expect: 3 1 4 0
print(bisect.bisect(a, 3, 0, 2), bisect.bisect(a, 3, lo=3), bisect_left([], 1))  # expect: 2 3 0
for x in (4, 0, 3.0, 9):
    insort(a, x)
print(a)  # expect: [0, 1, 3, 3, 3.0, 4, 5, 9]
bisect.insort_left(a, 3.5)
bisect.insort_left(a, 3.0)
print(a)  # expect: [0, 1, 3.0, 3, 3, 3.0, 3.5, 4, 5, 9]
names = ["Ada", "bob", "Cy"]
bisect.insort(names, "Bea", key=str.lower)
print(names, bisect_left(names, "bob", key=str.lower))  # expect: ['Ada', 'Bea', 'bob', 'Cy'] 2
try:
    bisect.bisect(a, 1, -1)
except ValueError as e:
    print(e)  # expect: lo must be non-negative
try:
    bisect.bisect(["a"], 1)
except TypeError as e:
    print(e)  # expect: '<' not supported between instances of 'int' and 'str'
