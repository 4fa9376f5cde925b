a = b = [1]
b.append(2)
c = a[:]
c.append(3)
a += [4]
print(a, b, c, a is b)  # expect: [1, 2, 4] [1, 2, 4] [1, 2, 3] True
m = [[0] * 2] * 2
m[0][0] = 1
print(m)  # expect: [[1, 0], [1, 0]]
