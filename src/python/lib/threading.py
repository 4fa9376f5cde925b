# SPDX-License-Identifier: MIT
# threading: a thread runs to its end inside start(); when start() returns it has stopped. Nothing runs beside
# anything else, so locks never have to wait for others: what would wait without end (a lock that is held, an
# event that nobody sets) raises RuntimeError instead, and with a timeout sleeps it out and says no. A Timer
# runs when it is joined, unless it was cancelled.
import sys as _sys
import time as _time

TIMEOUT_MAX = 9223372036.0
ThreadError = RuntimeError
_counter = 0


def _wait_out(timeout, what):
    if timeout is None or timeout < 0:
        raise RuntimeError(f"{what} would wait forever: threads run one after the other here")
    _time.sleep(timeout)
    return False


# ---- locks ----


class Lock:
    def __init__(self):
        self._held = False

    def acquire(self, blocking=True, timeout=-1):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if self._held:
            return _wait_out(timeout, "acquire()") if blocking else False
        self._held = True
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def locked(self):
        return self._held

    acquire_lock, release_lock, locked_lock = acquire, release, locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, trace):
        self.release()

    def __repr__(self):
        return f"<{'locked' if self._held else 'unlocked'} _thread.lock object at {hex(id(self))}>"


class RLock:
    def __init__(self):
        self._owner, self._count = None, 0

    def acquire(self, blocking=True, timeout=-1):
        if self._count and self._owner is not _current[-1]:
            return _wait_out(timeout, "acquire()") if blocking else False
        self._owner = _current[-1]
        self._count += 1
        return True

    def release(self):
        if not self._count or self._owner is not _current[-1]:
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1

    def locked(self):
        return self._count > 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, trace):
        self.release()

    def __repr__(self):
        state = "locked" if self._count else "unlocked"
        owner = self._owner.ident if self._count else 0
        return f"<{state} _thread.RLock object owner={owner} count={self._count} at {hex(id(self))}>"


class Condition:
    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, kind, error, trace):
        return self._lock.__exit__(kind, error, trace)

    def _check(self, what):
        if not self._lock.locked():
            raise RuntimeError(f"cannot {what} un-acquired lock")

    def wait(self, timeout=None):
        self._check("wait on")
        return _wait_out(timeout, "wait()")

    def wait_for(self, predicate, timeout=None):
        result = predicate()
        if not result:
            self.wait(timeout)
            result = predicate()
        return result

    def notify(self, n=1):
        self._check("notify on")

    def notify_all(self):
        self._check("notify on")

    notifyAll = notify_all


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if not blocking and timeout is not None:
            raise ValueError("can't specify timeout for non-blocking acquire")
        if not self._value:
            return _wait_out(timeout, "acquire()") if blocking else False
        self._value -= 1
        return True

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        self._value += n

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, trace):
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._initial_value = value

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        if self._value + n > self._initial_value:
            raise ValueError("Semaphore released too many times")
        self._value += n


class Event:
    def __init__(self):
        self._flag = False

    def is_set(self):
        return self._flag

    isSet = is_set

    def set(self):
        self._flag = True

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        return self._flag or _wait_out(timeout, "wait()")


class BrokenBarrierError(RuntimeError):
    pass


class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        self.parties, self.n_waiting, self.broken = parties, 0, False
        self._action, self._timeout = action, timeout

    def wait(self, timeout=None):
        if self.broken:
            raise BrokenBarrierError
        if self.parties > 1:
            self.broken = True
            _wait_out(self._timeout if timeout is None else timeout, "wait()")
            raise BrokenBarrierError
        if self._action:
            self._action()
        return 0

    def reset(self):
        self.broken = False

    def abort(self):
        self.broken = True


class local:
    """Attributes that every thread has for itself."""

    def __getattribute__(self, name):
        own = _current[-1].__dict__.setdefault("_local", {}).setdefault(id(self), {})
        if name == "__dict__":
            return own
        if name in own:
            return own[name]
        try:
            return super().__getattribute__(name)
        except AttributeError:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'") from None

    def __setattr__(self, name, value):
        self.__dict__[name] = value

    def __delattr__(self, name):
        if name not in self.__dict__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        del self.__dict__[name]


# ---- threads ----


class ExceptHookArgs:
    def __init__(self, args):
        self.exc_type, self.exc_value, self.exc_traceback, self.thread = args


def excepthook(args, /):
    if args.exc_type is SystemExit:
        return
    import traceback
    _sys.stderr.write(f"Exception in thread {args.thread.name}:\n")
    traceback.print_exception(args.exc_type, args.exc_value, args.exc_traceback)


__excepthook__ = excepthook


def _next_name(target):
    global _counter
    _counter += 1
    name = getattr(target, "__name__", None)
    return f"Thread-{_counter}" + (f" ({name})" if name else "")


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        if group is not None:
            raise AssertionError("group argument must be None for now")
        self.name = _next_name(target) if name is None else str(name)
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self.daemon = _current[-1].daemon if daemon is None else daemon
        self._started = self._stopped = False
        self.ident = self.native_id = None

    def start(self):
        if not hasattr(self, "_started"):
            raise RuntimeError("thread.__init__() not called")
        if self._started:
            raise RuntimeError("threads can only be started once")
        self._started = True
        self.ident = self.native_id = id(self)
        self._perform()

    def _perform(self):
        _current.append(self)
        try:
            self.run()
        except SystemExit:
            pass
        except Exception as error:
            excepthook(ExceptHookArgs((type(error), error, error.__traceback__, self)))
        finally:
            _current.pop()
            self._stopped = True

    def run(self):
        try:
            if self._target is not None:
                self._target(*self._args, **self._kwargs)
        finally:
            del self._target, self._args, self._kwargs

    def join(self, timeout=None):
        if not self._started:
            raise RuntimeError("cannot join thread before it is started")
        if self is _current[-1]:
            raise RuntimeError("cannot join current thread")

    def is_alive(self):
        return self._started and not self._stopped

    def getName(self):
        return self.name

    def setName(self, name):
        self.name = name

    def isDaemon(self):
        return self.daemon

    def setDaemon(self, daemonic):
        self.daemon = daemonic

    def __repr__(self):
        state = "stopped" if self._stopped else "started" if self._started else "initial"
        daemon = " daemon" if self.daemon else ""
        ident = f" {self.ident}" if self.ident is not None else ""
        return f"<{type(self).__name__}({self.name}, {state}{daemon}{ident})>"


class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__()
        self.interval, self.function = interval, function
        self.args = args if args is not None else []
        self.kwargs = kwargs if kwargs is not None else {}
        self.finished = Event()

    def _perform(self):
        self._due = _time.monotonic() + self.interval

    def cancel(self):
        self.finished.set()
        self._stopped = True

    def run(self):
        if not self.finished.is_set():
            self.function(*self.args, **self.kwargs)
        self.finished.set()

    def join(self, timeout=None):
        super().join(timeout)
        if self._stopped:
            return
        left = max(self._due - _time.monotonic(), 0)
        if timeout is not None and timeout < left:
            _time.sleep(max(timeout, 0))
            return
        _time.sleep(left)
        super()._perform()


class _MainThread(Thread):
    def __init__(self):
        self.name, self.daemon = "MainThread", False
        self._started, self._stopped = True, False
        self.ident = self.native_id = id(self)


_current = [_MainThread()]


def current_thread():
    return _current[-1]


def main_thread():
    return _current[0]


def active_count():
    return len(_current)


def enumerate():
    return list(_current)


def get_ident():
    return _current[-1].ident


def get_native_id():
    return _current[-1].native_id


def stack_size(size=0, /):
    return 0


def settrace(func):
    pass


def setprofile(func):
    pass


currentThread, activeCount = current_thread, active_count
