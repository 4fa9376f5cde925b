# SPDX-License-Identifier: MIT
# threading: threads take turns. One runs until it waits (for a lock, an event, a queue, time.sleep); then another
# goes on whose time has come. start() lets the new thread run until its first wait. What would wait without end
# because no other thread is left raises RuntimeError.
import _threads
import sys as _sys
import time as _time

TIMEOUT_MAX = 9223372036.0
ThreadError = RuntimeError
_counter = 0


def _wait(ready, timeout, what):
    """Lets others run until ready() or the time is over; whether it is ready."""
    until = None if timeout is None or timeout < 0 else _time.monotonic() + timeout
    nap = 0.001
    while not ready():
        if until is None and not _threads.alive():
            raise RuntimeError(f"{what} would wait forever: no other thread is left")
        left = nap if until is None else min(nap, until - _time.monotonic())
        if left <= 0:
            return False
        _threads.pause(left)
        nap = min(2 * nap, 0.05)
    return True


# ---- locks ----


class Lock:
    def __init__(self):
        self._held = False

    def acquire(self, blocking=True, timeout=-1):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if self._held and not (blocking and _wait(lambda: not self._held, timeout, "acquire()")):
            return False
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
        if self._count and self._owner is not current_thread():
            if not (blocking and _wait(lambda: not self._count, timeout, "acquire()")):
                return False
        self._owner = current_thread()
        self._count += 1
        return True

    def release(self):
        if not self._count or self._owner is not current_thread():
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
        self._waiting = []
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
        ticket = [False]
        self._waiting.append(ticket)
        self._lock.release()
        try:
            return _wait(lambda: ticket[0], timeout, "wait()")
        finally:
            self._waiting = [other for other in self._waiting if other is not ticket]
            self._lock.acquire()

    def wait_for(self, predicate, timeout=None):
        until = None if timeout is None else _time.monotonic() + timeout
        result = predicate()
        while not result and (until is None or _time.monotonic() < until):
            self.wait(None if until is None else until - _time.monotonic())
            result = predicate()
        return result

    def notify(self, n=1):
        self._check("notify on")
        for ticket in self._waiting[:n]:
            ticket[0] = True
        del self._waiting[:n]

    def notify_all(self):
        self.notify(len(self._waiting))

    notifyAll = notify_all


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if not blocking and timeout is not None:
            raise ValueError("can't specify timeout for non-blocking acquire")
        if not self._value and not (blocking and _wait(lambda: self._value, timeout, "acquire()")):
            return False
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
        return _wait(lambda: self._flag, timeout, "wait()")


class BrokenBarrierError(RuntimeError):
    pass


class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        self.parties, self.n_waiting, self.broken = parties, 0, False
        self._action, self._timeout, self._round = action, timeout, 0

    def wait(self, timeout=None):
        if self.broken:
            raise BrokenBarrierError
        place, turn = self.n_waiting, self._round
        self.n_waiting += 1
        if self.n_waiting == self.parties:
            if self._action:
                self._action()
            self.n_waiting = 0
            self._round += 1
            return place
        timeout = self._timeout if timeout is None else timeout
        if not _wait(lambda: self._round != turn or self.broken, timeout, "wait()"):
            self.abort()
        if self.broken:
            raise BrokenBarrierError
        return place

    def reset(self):
        self.broken, self.n_waiting = False, 0

    def abort(self):
        self.broken, self.n_waiting = True, 0


class local:
    """Attributes that every thread has for itself."""

    def __getattribute__(self, name):
        own = current_thread().__dict__.setdefault("_local", {}).setdefault(id(self), {})
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
        self.daemon = current_thread().daemon if daemon is None else daemon
        self._started = self._stopped = False
        self.ident = self.native_id = None

    def start(self):
        if not hasattr(self, "_started"):
            raise RuntimeError("thread.__init__() not called")
        if self._started:
            raise RuntimeError("threads can only be started once")
        self._started = True
        self.ident = self.native_id = id(self)
        _running.append(self)
        _threads.spawn(self._perform, self)

    def _perform(self):
        try:
            self.run()
        except SystemExit:
            pass
        except Exception as error:
            excepthook(ExceptHookArgs((type(error), error, error.__traceback__, self)))
        finally:
            _running.remove(self)
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
        if self is current_thread():
            raise RuntimeError("cannot join current thread")
        _wait(lambda: self._stopped, timeout, "join()")

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

    def cancel(self):
        self.finished.set()

    def run(self):
        self.finished.wait(self.interval)
        if not self.finished.is_set():
            self.function(*self.args, **self.kwargs)
        self.finished.set()


class _MainThread(Thread):
    def __init__(self):
        self.name, self.daemon = "MainThread", False
        self._started, self._stopped = True, False
        self.ident = self.native_id = id(self)


_main = _MainThread()
_running = [_main]


def current_thread():
    return _threads.current() or _main


def main_thread():
    return _main


def active_count():
    return len(_running)


def enumerate():
    return list(_running)


_left = [_main]  # nobody waits for them at the end


def _leave():
    _left[:] = _running


def _shutdown():
    """The program ends: waits for all threads that are no daemons, those included that others start meanwhile."""
    while waited := [thread for thread in _running if thread not in _left and not thread.daemon]:
        waited[0].join()


def get_ident():
    return current_thread().ident


def get_native_id():
    return current_thread().native_id


def stack_size(size=0, /):
    return 0


def settrace(func):
    pass


def setprofile(func):
    pass


currentThread, activeCount = current_thread, active_count
