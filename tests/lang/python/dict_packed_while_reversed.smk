d = dict.fromkeys(range(1000))
for i in range(990):
    del d[i]
keys = reversed(d)
d.clear()
for i in range(10):
    d[str(i)] = i
print(list(keys))
# expect: ['9', '8', '7', '6', '5', '4', '3', '2', '1', '0']
