# throw() and close() reach the generator that yield from delegates to.
from contextlib import ExitStack, contextmanager


def inner(name):
    try:
        while True:
            try:
                got = yield name
                print(name, "got", got)
            except ValueError as e:
                print(name, "caught", e)
                yield "from except"
            except KeyError:
                return "result"
    finally:
        print(name, "ends")


def outer(source):
    try:
        result = yield from source
        print("outer has", result)
        yield "after"
    except OSError as e:
        print("outer caught", e)
        yield "rescued"


g = outer(inner("a"))
print(next(g), g.send(1), g.throw(ValueError("v")), next(g), g.throw(KeyError()), list(g))
g = outer(inner("b"))
print(next(g))
print(g.throw(OSError("gone")))
g.close()
g = outer(outer(inner("c")))
next(g)
g.close()


class Source:
    """No generator: throw and close are looked up."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        self.n -= 1
        if self.n < 0:
            raise StopIteration("none left")
        return self.n

    def throw(self, error):
        print("thrown", repr(error))
        if isinstance(error, KeyError):
            raise StopIteration("thrown out")
        return "kept"

    def close(self):
        print("closed")


print(list(outer(Source(2))))
g = outer(Source(5))
print(next(g), g.throw(ValueError()), next(g), g.throw(KeyError()))
g = outer(Source(5))
next(g)
g.close()
g = outer([1, 2])
next(g)
print(g.throw(OSError("a list has no throw")))


def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2


for make in (stubborn, lambda: outer(stubborn())):
    g = make()
    next(g)
    try:
        g.close()
    except RuntimeError as e:
        print("RuntimeError", e)


def itself():
    yield from running


running = itself()
try:
    next(running)
except ValueError as e:
    print("ValueError", e)


@contextmanager
def telling():
    try:
        yield
    except Exception as e:
        raise RuntimeError("told") from e


try:
    with telling():
        1 / 0
except RuntimeError as e:
    print(e, repr(e.__cause__))
try:
    with telling():
        raise StopIteration("kept")
except Exception as e:
    print(repr(e), repr(e.__cause__))


def fails(error):
    raise error


try:
    with ExitStack() as stack:
        stack.callback(fails, IndexError(1))
        stack.callback(fails, KeyError(2))
        1 / 0
except IndexError as e:
    print(repr(e), repr(e.__context__), repr(e.__context__.__context__))

# The chain of contexts is no circle.
a, b = ValueError("a"), ValueError("b")
try:
    try:
        raise a
    except ValueError:
        try:
            raise b
        except ValueError:
            raise a
except ValueError as e:
    print(repr(e), repr(e.__context__), repr(e.__context__.__context__))

# expect: a got 1
# expect: a caught v
# expect: a ends
# expect: outer has result
# expect: a a from except a after []
# expect: b
# expect: b ends
# expect: outer caught gone
# expect: rescued
# expect: c ends
# expect: outer has none left
# expect: [1, 0, 'after']
# expect: thrown ValueError()
# expect: thrown KeyError()
# expect: outer has thrown out
# expect: 4 kept 3 after
# expect: closed
# expect: outer caught a list has no throw
# expect: rescued
# expect: RuntimeError generator ignored GeneratorExit
# expect: RuntimeError generator ignored GeneratorExit
# expect: ValueError generator already executing
# expect: told ZeroDivisionError('division by zero')
# expect: StopIteration('kept') None
# expect: IndexError(1) KeyError(2) ZeroDivisionError('division by zero')
# expect: ValueError('a') ValueError('b') None


# throw() with a class and what to make the exception from.
def catches():
    while True:
        try:
            yield
        except Exception as e:
            print(repr(e))


catching = catches()
next(catching)
catching.throw(ValueError, "text")  # expect: ValueError('text')
catching.throw(ValueError, (1, 2), None)  # expect: ValueError(1, 2)
catching.throw(LookupError, KeyError("k"))  # expect: KeyError('k')
try:
    catching.throw(ValueError("a"), "b")
except TypeError as e:
    print(e)  # expect: instance exception may not have a separate value
