# SPDX-License-Identifier: MIT
# contextlib.
import sys as _sys
from functools import wraps as _wraps


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        return None

    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "__enter__") and hasattr(other, "__exit__") or NotImplemented


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @_wraps(func)
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)

        return inner


class _GeneratorContextManager(ContextDecorator):
    def __init__(self, func, args, kwds):
        self.gen = func(*args, **kwds)
        self.func, self.args, self.kwds = func, args, kwds

    def _recreate_cm(self):
        return self.__class__(self.func, self.args, self.kwds)

    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, value, traceback):
        if kind is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            try:
                raise RuntimeError("generator didn't stop")
            finally:
                self.gen.close()
        if value is None:
            value = kind()
        try:
            self.gen.throw(value)
        except StopIteration as stop:
            return stop is not value
        except BaseException as error:
            if error is value:
                return False
            # A StopIteration that leaves a generator comes out as the cause of a RuntimeError.
            if isinstance(error, RuntimeError) and isinstance(value, StopIteration) and error.__cause__ is value:
                return False
            raise
        try:
            raise RuntimeError("generator didn't stop after throw()")
        finally:
            self.gen.close()


def contextmanager(func):
    @_wraps(func)
    def helper(*args, **kwds):
        return _GeneratorContextManager(func, args, kwds)

    return helper


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class suppress(AbstractContextManager):
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, kind, value, traceback):
        return kind is not None and issubclass(kind, self._exceptions)


class nullcontext(AbstractContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass


class _redirect(AbstractContextManager):
    _stream = None

    def __init__(self, new_target):
        self._new_target = new_target
        self._old_targets = []

    def __enter__(self):
        self._old_targets.append(getattr(_sys, self._stream))
        setattr(_sys, self._stream, self._new_target)
        return self._new_target

    def __exit__(self, *exc_info):
        setattr(_sys, self._stream, self._old_targets.pop())


class redirect_stdout(_redirect):
    _stream = "stdout"


class redirect_stderr(_redirect):
    _stream = "stderr"


class chdir(AbstractContextManager):
    def __init__(self, path):
        self.path = path
        self._old = []

    def __enter__(self):
        import os
        self._old.append(os.getcwd())
        os.chdir(self.path)

    def __exit__(self, *excinfo):
        import os
        os.chdir(self._old.pop())


def _follow(new, old, handled):
    # Contexts as if each exit were nested in the one before: what new was raised behind is old, not handled.
    while new.__context__ is not handled:
        if new.__context__ is None or new.__context__ is old:
            return
        new = new.__context__
    new.__context__ = old


class ExitStack(AbstractContextManager):
    def __init__(self):
        self._callbacks = []

    def pop_all(self):
        other = self.__class__()
        other._callbacks, self._callbacks = self._callbacks, []
        return other

    def push(self, exit):
        leave = getattr(type(exit), "__exit__", None)
        self._callbacks.append(exit if leave is None else lambda *exc: leave(exit, *exc))
        return exit

    def enter_context(self, cm):
        kind = type(cm)
        try:
            enter, leave = kind.__enter__, kind.__exit__
        except AttributeError:
            raise TypeError(f"'{kind.__module__}.{kind.__qualname__}' object does "
                            "not support the context manager protocol") from None
        result = enter(cm)
        self._callbacks.append(lambda *exc: leave(cm, *exc))
        return result

    def callback(self, callback, /, *args, **kwds):
        def call(kind, value, traceback):
            callback(*args, **kwds)

        self._callbacks.append(call)
        return callback

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, kind, value, traceback):
        received, handled = value, _sys.exc_info()[1]
        while self._callbacks:
            leave = self._callbacks.pop()
            try:
                if leave(None if value is None else type(value), value, traceback if value is received else None):
                    value = None
            except BaseException as error:
                _follow(error, value, handled)
                value = error
        if value is not None and value is not received:
            context = value.__context__
            try:
                raise value
            except BaseException:
                value.__context__ = context
                raise
        return received is not None and value is None
