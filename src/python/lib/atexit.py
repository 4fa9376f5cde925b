# SPDX-License-Identifier: MIT
# atexit: what a program calls when it ends, the last that was registered first.
_callbacks = []


def register(func, /, *args, **kwargs):
    if not callable(func):
        raise TypeError("the first argument must be callable")
    _callbacks.append((func, args, kwargs))
    return func


def unregister(func, /):
    _callbacks[:] = [callback for callback in _callbacks if callback[0] != func]


def _clear():
    _callbacks.clear()


def _ncallbacks():
    return len(_callbacks)


def _run_exitfuncs():
    for func, args, kwargs in _callbacks[::-1]:  # not those that are registered meanwhile
        try:
            func(*args, **kwargs)
        except BaseException as error:
            import sys
            import traceback
            print(f"Exception ignored in atexit callback: {func!r}", file=sys.stderr)
            traceback.print_exception(error)
    _callbacks.clear()
