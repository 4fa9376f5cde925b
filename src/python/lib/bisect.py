# SPDX-License-Identifier: MIT
# bisect: where an item belongs in a sorted list.
__all__ = ["bisect", "bisect_left", "bisect_right", "insort", "insort_left", "insort_right"]


def _range(a, lo, hi):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    return lo, len(a) if hi is None else hi


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    """The place behind all items that are not greater than x."""
    lo, hi = _range(a, lo, hi)
    while lo < hi:
        middle = (lo + hi) // 2
        item = a[middle]
        if x < (item if key is None else key(item)):
            hi = middle
        else:
            lo = middle + 1
    return lo


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    """The place before all items that are not less than x."""
    lo, hi = _range(a, lo, hi)
    while lo < hi:
        middle = (lo + hi) // 2
        item = a[middle]
        if (item if key is None else key(item)) < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def insort_right(a, x, lo=0, hi=None, *, key=None):
    """Puts x behind all items that are not greater."""
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    """Puts x before all items that are not less."""
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


bisect, insort = bisect_right, insort_right
