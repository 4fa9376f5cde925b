# SPDX-License-Identifier: MIT
# re: the exception.


class error(Exception):
    def __init__(self, msg, pattern=None, pos=None):
        self.msg = msg
        self.pattern = pattern
        self.pos = pos
        if pattern is None or pos is None:
            self.lineno = self.colno = None
        else:
            newline = "\n" if isinstance(pattern, str) else b"\n"
            self.lineno = pattern.count(newline, 0, pos) + 1
            self.colno = pos - pattern.rfind(newline, 0, pos)
            msg = f"{msg} at position {pos}"
            if newline in pattern:
                msg += f" (line {self.lineno}, column {self.colno})"
        super().__init__(msg)


error.__module__ = "re"
