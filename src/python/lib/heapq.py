# SPDX-License-Identifier: MIT
# heapq: what makes new lists; _heapq moves items in one. Ties are broken as in CPython: the first comes first.
from _heapq import (
    _heapify_max,
    _heappop_max,
    _heapreplace_max,
    heapify,
    heappop,
    heappush,
    heappushpop,
    heapreplace,
)

__all__ = ["heappush", "heappop", "heapify", "heapreplace", "merge", "nlargest", "nsmallest", "heappushpop"]


def merge(*iterables, key=None, reverse=False):
    """The items of sorted iterables in order, read as they are asked for."""
    down, replace, pop = (
        (_heapify_max, _heapreplace_max, _heappop_max) if reverse else (heapify, heapreplace, heappop)
    )
    step = -1 if reverse else 1
    heap = []  # [key, place of the iterable, item, its __next__]
    for place, iterable in enumerate(iterables):
        following = iter(iterable).__next__
        try:
            item = following()
        except StopIteration:
            continue
        heap.append([item if key is None else key(item), place * step, item, following])
    down(heap)
    while len(heap) > 1:
        try:
            while True:
                top = heap[0]
                yield top[2]
                top[2] = item = top[3]()
                top[0] = item if key is None else key(item)
                replace(heap, top)
        except StopIteration:
            pop(heap)
    if heap:
        item, following = heap[0][2:]
        yield item
        yield from following.__self__


def _extreme(n, iterable, key, greatest):
    """The n smallest or greatest, by a heap of the n best so far whose top is the worst of them."""
    try:
        size = len(iterable)
    except (TypeError, AttributeError):
        pass
    else:
        if n >= size:
            return sorted(iterable, key=key, reverse=greatest)[:n]
    items = iter(iterable)
    step = -1 if greatest else 1  # of two equal items, the later one is the worse
    best = []
    for place, item in zip(range(n), items):
        best.append((item if key is None else key(item), place * step, item))
    if not best:
        return best
    (heapify if greatest else _heapify_max)(best)
    replace = heapreplace if greatest else _heapreplace_max
    worst = best[0][0]
    for place, item in enumerate(items, n):
        by = item if key is None else key(item)
        if worst < by if greatest else by < worst:
            replace(best, (by, place * step, item))
            worst = best[0][0]
    best.sort(reverse=greatest)
    return [item for by, place, item in best]


_nothing = object()


def nsmallest(n, iterable, key=None):
    """sorted(iterable, key=key)[:n], in less room."""
    if n == 1:
        least = min(iterable, default=_nothing, key=key)
        return [] if least is _nothing else [least]
    return _extreme(n, iterable, key, False)


def nlargest(n, iterable, key=None):
    """sorted(iterable, key=key, reverse=True)[:n], in less room."""
    if n == 1:
        most = max(iterable, default=_nothing, key=key)
        return [] if most is _nothing else [most]
    return _extreme(n, iterable, key, True)
