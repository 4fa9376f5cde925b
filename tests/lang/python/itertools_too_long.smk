# A row that cannot be held is an error; where there is none, its length does not matter.
import itertools
for make in (lambda: itertools.product("ab", repeat=2 ** 62),
             lambda: itertools.product("ab", repeat=2 ** 40),
             lambda: itertools.combinations_with_replacement([1], 2 ** 50)):
    try:
        next(make())
    except MemoryError as e:
        print("MemoryError")
print(list(itertools.combinations([1], 2 ** 50)), list(itertools.permutations([1], 2 ** 60)))
# expect: MemoryError
# expect: MemoryError
# expect: MemoryError
# expect: [] []
