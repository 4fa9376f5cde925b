def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print([fib(i) for i in range(15)])  # expect: [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377]
def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)
print(deep(500))  # expect: 500
