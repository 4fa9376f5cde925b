# An exception keeps the arguments of its call even where __init__ forgets to pass them on.
class Coded(ValueError):
    def __init__(self, message, code):
        self.code = code


print(repr(Coded("m", 3)), Coded("m", 3).args, str(Coded("m", 3)))  # expect: Coded('m', 3) ('m', 3) ('m', 3)
print(str(Coded("m", code=3)), Coded("m", code=3).code)  # expect: m 3


class Stop(SystemExit):
    def __init__(self):
        super().__init__(3)


print(Stop().code, Stop().args)  # expect: 3 (3,)


class Late(OSError):
    def __init__(self, number, path):
        super().__init__(number, "said", path)


class Never(OSError):
    def __init__(self, number, text):
        pass


print(Late(2, "f"), Late(2, "f").errno, Late(2, "f").args)  # expect: [Errno 2] said: 'f' 2 (2, 'said')
print(repr(Never(2, "f")), Never(2, "f").errno)  # expect: Never() None


class Missing(ImportError):
    def __init__(self, name):
        super().__init__("no " + name, name=name)


print(Missing("m").name, Missing("m"))  # expect: m no m
for make in (lambda: ValueError("a", b=1), lambda: ImportError("a", b=1), lambda: Coded("a")):
    try:
        make()
    except TypeError as e:
        print(e)
    # expect: ValueError() takes no keyword arguments
    # expect: 'b' is an invalid keyword argument for ImportError()
    # expect: Coded.__init__() missing 1 required positional argument: 'code'
print(StopIteration(1, 2).value, SystemExit(1, 2).code)  # expect: 1 (1, 2)


def ends():
    raise StopIteration(3)
    yield


try:
    next(ends())
except RuntimeError as e:
    print(e, repr(e.__cause__), e.__suppress_context__)  # expect: generator raised StopIteration StopIteration(3) True
