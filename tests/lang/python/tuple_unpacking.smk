a, b = 1, 2
a, b = b, a
(c, d), e = (3, 4), 5
first, *rest = [1, 2, 3]
*init, last = "abc"
x, *mid, y = range(5)
print(a, b, c, d, e, first, rest, init, last, x, mid, y)
for i, (p, q) in enumerate([("a", 1), ("b", 2)]):
    print(i, p, q)
t = 1,
print(t, (), (1, 2) + (3,), (1, 2) * 2, t[0])
# expect: 2 1 3 4 5 1 [2, 3] ['a', 'b'] c 0 [1, 2, 3] 4
# expect: 0 a 1
# expect: 1 b 2
# expect: (1,) () (1, 2, 3) (1, 2, 1, 2) 1
