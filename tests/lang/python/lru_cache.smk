from functools import lru_cache
calls = []
@lru_cache(maxsize=None)
def f(x):
    calls.append(x)
    return x * 2
print(f(1), f(1), f(2), calls)  # expect: 2 2 4 [1, 2]
