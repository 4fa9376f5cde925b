def twice(f):
    def wrapped(*a):
        return f(f(*a))
    return wrapped
@twice
def inc(x):
    return x + 1
print(inc(1), inc.__name__)  # expect: 3 wrapped
