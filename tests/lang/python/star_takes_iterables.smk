# What f(*x) and [*x] say of an x that has no items; f(*x, k=y) takes x apart after y is known.
def tell(f):
    try:
        print(f())
    except Exception as e:
        print(e)
def function(*args, **kwargs):
    return args, kwargs
tell(lambda: print(*5)) # expect: print() argument after * must be an iterable, not int
tell(lambda: function(*None, k=1)) # expect: __main__.function() argument after * must be an iterable, not NoneType
tell(lambda: function(1, *5)) # expect: Value after * must be an iterable, not int
tell(lambda: [*5]) # expect: Value after * must be an iterable, not int
tell(lambda: function(*5, k=1 // 0)) # expect: integer division or modulo by zero
items = [1]
tell(lambda: function(*items, k=items.append(2))) # expect: ((1, 2), {'k': None})
tell(lambda: function(*(i for i in "ab"))) # expect: (('a', 'b'), {})
try:
    a, *b = None
except TypeError as e:
    print(e) # expect: cannot unpack non-iterable NoneType object
tell(lambda: 1 in int) # expect: argument of type 'type' is not iterable
