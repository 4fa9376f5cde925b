# SPDX-License-Identifier: MIT
# queue. Threads run one after the other here (threading.py), so nobody can fill an empty queue while get() waits:
# without a timeout that raises RuntimeError instead of waiting forever, and so do put() on a full one and join().
import collections as _collections

from threading import _wait_out


class Empty(Exception):
    pass


class Full(Exception):
    pass


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self._init(maxsize)

    def _init(self, maxsize):
        self.queue = _collections.deque()

    def _qsize(self):
        return len(self.queue)

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()

    def qsize(self):
        return self._qsize()

    def empty(self):
        return not self._qsize()

    def full(self):
        return 0 < self.maxsize <= self._qsize()

    def put(self, item, block=True, timeout=None):
        if self.full():
            self._refuse(Full, "put()", block, timeout)
        self._put(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        if self.empty():
            self._refuse(Empty, "get()", block, timeout)
        return self._get()

    def _refuse(self, error, what, block, timeout):
        if block and timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        if block:
            _wait_out(timeout, what)
        raise error

    def put_nowait(self, item):
        return self.put(item, block=False)

    def get_nowait(self):
        return self.get(block=False)

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self):
        if self.unfinished_tasks:
            _wait_out(None, "join()")


class LifoQueue(Queue):
    def _init(self, maxsize):
        self.queue = []

    def _get(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    """The items are kept in falling order, the next one last."""

    def _init(self, maxsize):
        self.queue = []

    def _put(self, item):
        low, high = 0, len(self.queue)
        while low < high:
            middle = (low + high) // 2
            if item < self.queue[middle]:
                low = middle + 1
            else:
                high = middle
        self.queue.insert(low, item)

    def _get(self):
        return self.queue.pop()


class SimpleQueue:
    def __init__(self):
        self._items = _collections.deque()

    def put(self, item, block=True, timeout=None):
        self._items.append(item)

    def get(self, block=True, timeout=None):
        if not self._items:
            if block:
                _wait_out(timeout, "get()")
            raise Empty
        return self._items.popleft()

    def put_nowait(self, item):
        self.put(item)

    def get_nowait(self):
        return self.get(False)

    def empty(self):
        return not self._items

    def qsize(self):
        return len(self._items)
