# What a program calls when it ends: after its threads, the last that was registered first.
import atexit
import threading
import time


def say(*args, **kwargs):
    print("at exit", args, kwargs)


def fail():
    raise ValueError("nobody minds")


def late():
    time.sleep(0.1)
    threading.Thread(target=later).start()


def later():
    time.sleep(0.1)
    print("the last thread")


@atexit.register
def first():
    print("registered first")
    atexit.register(say, "while it ends")


def never():
    while True:
        time.sleep(0.01)


print(atexit.register(say, 1, k=2) is say)  # expect: True
atexit.register(print, "gone")
atexit.unregister(print)
atexit.register(fail)
threading.Thread(target=late).start()
threading.Thread(target=never, daemon=True).start()
try:
    atexit.register(3)
except TypeError as error:
    print(error)  # expect: the first argument must be callable
print("the end")  # expect: the end
# expect: the last thread
# expect: at exit (1,) {'k': 2}
# expect: registered first
