def counter(start):
    n = start
    def step(by=1):
        nonlocal n
        n += by
        return n
    return step
a, b = counter(0), counter(10)
a()
print(a(), b(5), a())  # expect: 2 15 3
