# SPDX-License-Identifier: MIT
# fnmatch: patterns of the shell, matched without regular expressions.
import os


def _in_set(c, members):
    negated = members[:1] == "!"
    i, n = int(negated), len(members)
    found = False
    while i < n:
        if i + 2 < n and members[i + 1] == "-":
            found = found or members[i] <= c <= members[i + 2]
            i += 3
        else:
            found = found or members[i] == c
            i += 1
    return found != negated


def _items(pattern):
    """Characters, "*", "?" and sets as tuples, in order."""
    items, i, n = [], 0, len(pattern)
    while i < n:
        c = pattern[i]
        i += 1
        if c == "*":
            if not items or items[-1] != ("*",):
                items.append(("*",))
        elif c == "?":
            items.append(("?",))
        elif c == "[":
            j = i
            if j < n and pattern[j] == "!":
                j += 1
            if j < n and pattern[j] == "]":
                j += 1
            while j < n and pattern[j] != "]":
                j += 1
            if j >= n:
                items.append(c)
            else:
                items.append(("[", pattern[i:j]))
                i = j + 1
        else:
            items.append(c)
    return items


def _matches(name, items):
    i = p = 0
    star = back = -1
    n, m = len(name), len(items)
    while i < n:
        item = items[p] if p < m else None
        if item == ("*",):
            star, back = p, i
            p += 1
        elif item is not None and (item == name[i] or item == ("?",) or
                                   (item[0] == "[" and len(item) == 2 and _in_set(name[i], item[1]))):
            i += 1
            p += 1
        elif star >= 0:
            back += 1
            i, p = back, star + 1
        else:
            return False
    while p < m and items[p] == ("*",):
        p += 1
    return p == m


_cache = {}


def fnmatchcase(name, pat):
    items = _cache.get(pat)
    if items is None:
        if len(_cache) > 500:
            _cache.clear()
        items = _cache[pat] = _items(pat)
    return _matches(name, items)


def fnmatch(name, pat):
    return fnmatchcase(os.fspath(name), os.fspath(pat))


def filter(names, pat):
    return [name for name in names if fnmatchcase(os.fspath(name), pat)]


def translate(pat):
    import re
    out = []
    for item in _items(pat):
        if item == ("*",):
            out.append(".*")
        elif item == ("?",):
            out.append(".")
        elif isinstance(item, tuple):
            members = item[1].replace("\\", "\\\\")
            if members.startswith("!"):
                members = "^" + members[1:]
            elif members.startswith("^"):
                members = "\\" + members
            out.append("[" + members + "]")
        else:
            out.append(re.escape(item))
    return "(?s:" + "".join(out) + ")\\Z"
