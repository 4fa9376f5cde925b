# SPDX-License-Identifier: MIT
# shlex: words as a POSIX shell sees them.

_safe = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-")


def quote(s):
    if not s:
        return "''"
    if _safe.issuperset(s):
        return s
    return "'" + s.replace("'", "'\"'\"'") + "'"


def join(split_command):
    return " ".join(quote(arg) for arg in split_command)


def split(s, comments=False, posix=True):
    words, word, i, n = [], None, 0, len(s)
    while i < n:
        c = s[i]
        i += 1
        if c in " \t\r\n":
            if word is not None:
                words.append(word)
                word = None
        elif comments and c == "#":
            while i < n and s[i] != "\n":
                i += 1
        elif c == "'" or (c == '"' and not posix):
            end = s.find(c, i)
            if end < 0:
                raise ValueError("No closing quotation")
            word = (word or "") + (s[i:end] if posix else c + s[i:end] + c)
            i = end + 1
        elif c == '"':
            word = word or ""
            while i < n and s[i] != '"':
                if s[i] == "\\" and s[i + 1:i + 2] in ('"', "\\"):
                    i += 1
                word += s[i]
                i += 1
            if i >= n:
                raise ValueError("No closing quotation")
            i += 1
        elif c == "\\" and posix:
            if i >= n:
                raise ValueError("No escaped character")
            word = (word or "") + s[i]
            i += 1
        else:
            word = (word or "") + c
    if word is not None:
        words.append(word)
    return words
