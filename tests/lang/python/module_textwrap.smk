from textwrap import dedent
import math, copy
print(dedent("""
    a
      b
    """).strip())
print(math.ceil(1.2), math.floor(-1.2), math.sqrt(16), math.log2(8), math.inf, math.pi)
a = {"k": [1]}
b = copy.deepcopy(a)
b["k"].append(2)
print(a, b)
# expect: a
# expect:   b
# expect: 2 -2 4.0 3.0 inf 3.141592653589793
# expect: {'k': [1]} {'k': [1, 2]}
