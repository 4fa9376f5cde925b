# SPDX-License-Identifier: MIT
# io: files in memory.

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192
open = open


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    pass


class TextIOBase(IOBase):
    pass


class RawIOBase(IOBase):
    pass


class BufferedIOBase(IOBase):
    pass


class _Memory:
    _empty = None
    _kind = None

    def _start(self, initial):
        self._text = initial
        self._at = 0
        self.closed = False

    def _check(self):
        if self.closed:
            raise ValueError("I/O operation on closed file")

    def getvalue(self):
        self._check()
        return self._text

    def read(self, size=-1, /):
        self._check()
        end = len(self._text) if size is None or size < 0 else self._at + size
        text = self._text[self._at:end]
        self._at += len(text)
        return text

    def readline(self, size=-1, /):
        self._check()
        end = self._text.find(self._newline, self._at)
        end = len(self._text) if end < 0 else end + 1
        if size is not None and 0 <= size < end - self._at:
            end = self._at + size
        text = self._text[self._at:end]
        self._at = max(self._at, end)
        return text

    def readlines(self, hint=-1, /):
        return list(self)

    def __iter__(self):
        self._check()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, text, /):
        self._check()
        self._accept(text)
        if self._at == len(self._text):
            self._text += text
        else:
            if self._at > len(self._text):
                self._text += self._filler * (self._at - len(self._text))
            self._text = self._text[:self._at] + text + self._text[self._at + len(text):]
        self._at += len(text)
        return len(text)

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)

    def tell(self):
        self._check()
        return self._at

    def seek(self, offset, whence=0, /):
        self._check()
        base = 0 if whence == 0 else self._at if whence == 1 else len(self._text)
        if base + offset < 0:
            raise ValueError("Negative seek position %d" % (base + offset))
        self._at = base + offset
        return self._at

    def truncate(self, size=None, /):
        self._check()
        size = self._at if size is None else size
        self._text = self._text[:size]
        return size

    def flush(self):
        self._check()

    def close(self):
        self.closed = True

    def readable(self):
        return True

    def writable(self):
        return True

    def seekable(self):
        return True

    def isatty(self):
        return False

    def fileno(self):
        raise UnsupportedOperation("fileno")

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, *exc):
        self.close()


class StringIO(_Memory, TextIOBase):
    _newline = "\n"
    _filler = "\0"
    encoding = None

    def __init__(self, initial_value="", newline="\n"):
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError("initial_value must be str or None, not %s" % type(initial_value).__name__)
        self._start(initial_value or "")

    def _accept(self, text):
        if not isinstance(text, str):
            raise TypeError("string argument expected, got %r" % type(text).__name__)


class BytesIO(_Memory, BufferedIOBase):
    _newline = b"\n"
    _filler = b"\0"

    def __init__(self, initial_bytes=b""):
        self._start(bytes(initial_bytes))

    def _accept(self, text):
        if isinstance(text, str):
            raise TypeError("a bytes-like object is required, not 'str'")

    def getbuffer(self):
        return self.getvalue()


class TextIOWrapper(StringIO):
    def __init__(self, buffer, encoding=None, errors=None, newline=None, line_buffering=False, write_through=False):
        self.buffer = buffer
        super().__init__(buffer.read().decode(encoding or "utf-8", errors or "strict"))
