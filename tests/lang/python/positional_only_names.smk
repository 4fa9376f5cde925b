# Names of positional-only parameters are told first, and all together; operator.concat() wants a sequence.
import operator


def f(p, q=1, /, r=2):
    return p, q, r


for names in {"z": 1, "q": 2, "p": 3}, {"r": 1, "z": 2}, {"q": 1}:
    try:
        f(0, **names)
    except TypeError as e:
        print(e)
# expect: f() got some positional-only arguments passed as keyword arguments: 'p, q'
# expect: f() got an unexpected keyword argument 'z'
# expect: f() got some positional-only arguments passed as keyword arguments: 'q'
for join in operator.concat, operator.iconcat:
    print(join([1], [2]))  # expect: [1, 2]
    try:
        join(1, 2)
    except TypeError as e:
        print(e)
# expect: 'int' object can't be concatenated
# expect: [1, 2]
# expect: 'int' object can't be concatenated
