# The class of a foreign exception is derived from what it is over there, and so are ours from a foreign one.
import contextlib
import getopt
import json

with contextlib.suppress(getopt.GetoptError):
    getopt.do_longs([], "abc", ["def"], [])
    print("not here")


class Asked:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        print(issubclass(kind, getopt.GetoptError), isinstance(error, getopt.GetoptError), issubclass(kind, OSError))
        return True


class Mine(getopt.GetoptError):
    pass


with Asked():
    getopt.do_longs([], "abc", ["def"], [])
with Asked():
    raise Mine("x", "y")
with Asked():
    raise ValueError("x")
try:
    raise getopt.GetoptError("a", "b")
except Exception as e:
    print(issubclass(type(e), getopt.GetoptError), e.msg, e.opt)
print(issubclass(Mine, getopt.GetoptError), issubclass(getopt.GetoptError, Exception), issubclass(KeyError, getopt.GetoptError))
print(isinstance(ValueError(), getopt.GetoptError), isinstance(Mine("", ""), (int, getopt.GetoptError)))
# expect: True True False
# expect: True True False
# expect: False False False
# expect: True a b
# expect: True True False
# expect: False True
