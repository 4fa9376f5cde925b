# A row that cannot be held is an error.
import itertools
for make in (lambda: itertools.product("ab", repeat=2 ** 62),
             lambda: itertools.product("ab", repeat=2 ** 40),
             lambda: itertools.combinations_with_replacement([1], 2 ** 50)):
    try:
        next(make())
    except (MemoryError, OverflowError) as e:
        print(type(e).__name__)
# expect: OverflowError
# expect: MemoryError
# expect: MemoryError
