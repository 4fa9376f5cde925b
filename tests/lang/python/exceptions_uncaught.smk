class MyError(Exception):
    pass
def f():
    raise MyError("went wrong")
f()
# expect error: MyError: went wrong
