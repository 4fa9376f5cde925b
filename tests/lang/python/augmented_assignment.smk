a = 5
a += 2; a -= 1; a *= 3; a //= 2; a **= 2; a %= 50
print(a)  # expect: 31
d = {"k": [1]}
d["k"] += [2]
d["n"] = d.get("n", 0) + 1
d["n"] <<= 3
s = {1}
s |= {2}
print(d, s)  # expect: {'k': [1, 2], 'n': 8} {1, 2}
def idx():
    print("once")  # expect: once
    return 0
l = [1]
l[idx()] += 1
print(l)  # expect: [2]
