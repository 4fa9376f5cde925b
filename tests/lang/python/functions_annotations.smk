def f(a: int, b: "str" = "x") -> list[int]:
    y: int = 3
    return [a, b, y]
n: dict = {}
print(f(1), n)  # expect: [1, 'x', 3] {}
