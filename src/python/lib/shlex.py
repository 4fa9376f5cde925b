# SPDX-License-Identifier: MIT
# shlex: words as a shell sees them.
from collections import deque as _deque

_safe = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-")


def quote(s):
    if not s:
        return "''"
    if not isinstance(s, str):
        raise TypeError("expected string or bytes-like object, got '%s'" % type(s).__name__)
    if _safe.issuperset(s):
        return s
    return "'" + s.replace("'", "'\"'\"'") + "'"


def join(split_command):
    return " ".join(quote(arg) for arg in split_command)


def split(s, comments=False, posix=True):
    if s is None:
        raise ValueError("s argument must not be None")
    words = shlex(s, posix=posix)
    words.whitespace_split = True
    if not comments:
        words.commenters = ""
    return list(words)


class shlex:
    """Words one after the other. The state is " " between words, "a" within one, "c" within punctuation, and a
    quote or an escape character behind one."""

    def __init__(self, instream=None, infile=None, posix=False, punctuation_chars=False):
        if instream is None:
            import sys
            instream = sys.stdin
        self._text = instream if isinstance(instream, str) else instream.read()
        self._at, self._tokens = 0, _deque()
        self.infile, self.posix, self.lineno, self.token = infile, posix, 1, ""
        self.eof = None if posix else ""
        self.commenters, self.whitespace, self.whitespace_split = "#", " \t\r\n", False
        self.quotes, self.escape, self.escapedquotes = "'\"", "\\", '"'
        self.wordchars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
        if posix:
            self.wordchars += "ßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ"
        self.punctuation_chars = "();<>|&" if punctuation_chars is True else punctuation_chars or ""
        if self.punctuation_chars:
            self.wordchars = "".join(c for c in self.wordchars + "~-./*?=" if c not in self.punctuation_chars)

    def push_token(self, tok):
        self._tokens.appendleft(tok)

    def get_token(self):
        return self._tokens.popleft() if self._tokens else self.read_token()

    def __iter__(self):
        return self

    def __next__(self):
        token = self.get_token()
        if token == self.eof:
            raise StopIteration
        return token

    def _next(self):
        c = self._text[self._at:self._at + 1]
        self._at += 1
        if c == "\n":
            self.lineno += 1
        return c

    def _skip_line(self):
        end = self._text.find("\n", self._at)
        self._at = len(self._text) if end < 0 else end + 1
        self.lineno += 1

    def read_token(self):
        state, word, quoted, back = " ", "", False, "a"
        while True:
            c = self._next()
            if state in self.quotes and state != " ":
                quoted = True
                if not c:
                    raise ValueError("No closing quotation")
                if c == state:
                    if not self.posix:
                        word += c
                        break
                    state = "a"
                elif self.posix and c in self.escape and state in self.escapedquotes:
                    back, state = state, c
                else:
                    word += c
            elif state in self.escape and state != " ":
                if not c:
                    raise ValueError("No escaped character")
                if back in self.quotes and c != state and c != back:
                    word += state
                word += c
                state = back
            elif not c:
                break
            elif c in self.whitespace:
                if word or (self.posix and quoted):
                    break
                state = " "
            elif c in self.commenters:
                self._skip_line()
                if state != " " and self.posix and (word or quoted):
                    break
                state = state if state != " " and not self.posix else " "
            elif state == " ":
                if self.posix and c in self.escape:
                    back, state = "a", c
                elif c in self.quotes:
                    word, state = "" if self.posix else c, c
                elif c in self.punctuation_chars:
                    word, state = c, "c"
                elif c in self.wordchars or self.whitespace_split:
                    word, state = c, "a"
                else:
                    word = c
                    break
            elif state == "c":
                if c not in self.punctuation_chars:
                    self._at -= 1
                    break
                word += c
            elif self.posix and c in self.quotes:
                state = c
            elif self.posix and c in self.escape:
                back, state = "a", c
            elif c in self.wordchars or c in self.quotes or (self.whitespace_split and c not in self.punctuation_chars):
                word += c
            elif self.punctuation_chars:
                self._at -= 1
                break
            else:
                self._tokens.append(c)
                break
        if self.posix and not quoted and not word:
            return None
        return word
