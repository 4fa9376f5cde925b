def main():
    d = {}
    for i in range(200000):
        key = "sample" + str(i % 5000)
        d[key] = d.get(key, 0) + i
    t = 0
    for _ in range(20):
        for key, value in d.items():
            if key in d:
                t += value
    table = {i: [i, i + 1] for i in range(100000)}
    for i in range(100000):
        t += table[i][1]
    return t


main()
