def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def add(a, b=1, *, c=2):
    return a + b + c


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def total(self):
        return self.x + self.y


def main():
    fib(25)
    t = 0
    for i in range(200000):
        t += add(i, c=3)
        t += Point(i, 1).total()
    return t


main()
