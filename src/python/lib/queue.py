# SPDX-License-Identifier: MIT
# queue: who finds one empty, or full, lets other threads run (threading.py); if there are none, and no timeout,
# RuntimeError is raised instead of waiting forever.
import collections as _collections

from threading import _wait


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
        self._await(lambda: not self.full(), Full, "put()", block, timeout)
        self._put(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        self._await(lambda: not self.empty(), Empty, "get()", block, timeout)
        return self._get()

    def _await(self, ready, error, what, block, timeout):
        if block and timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        if not ready() and not (block and _wait(ready, timeout, what)):
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
        _wait(lambda: not self.unfinished_tasks, None, "join()")


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
        if not self._items and not (block and _wait(lambda: self._items, timeout, "get()")):
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
