# SPDX-License-Identifier: MIT
# io: files in memory, and text over files of bytes. What open() gives is no subclass of the classes here.

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192
open = open_code = open
BlockingIOError = BlockingIOError


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    closed = False

    def _check(self):
        if self.closed:
            raise ValueError("I/O operation on closed file" + self._full_stop)

    _full_stop = "."

    def __iter__(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def readlines(self, hint=-1, /):
        lines, size = [], 0
        for line in self:
            lines.append(line)
            size += len(line)
            if hint is not None and 0 < hint <= size:
                break
        return lines

    def writelines(self, lines, /):
        self._check()
        for line in lines:
            self.write(line)

    def flush(self):
        self._check()

    def close(self):
        if not self.closed:
            self.flush()
            self.closed = True

    def readable(self):
        self._check()
        return False

    writable = seekable = isatty = readable

    def fileno(self):
        raise UnsupportedOperation("fileno")

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, *exc):
        self.close()


class TextIOBase(IOBase):
    pass


class RawIOBase(IOBase):
    pass


class BufferedIOBase(IOBase):
    pass


class _Memory(IOBase):
    """_text and then the pieces of _tail: what is written at the end is put together when it is asked for."""

    def _start(self, initial):
        self._text, self._tail, self._length, self._at = initial, [], len(initial), 0
        self.closed = False

    def _whole(self):
        if self._tail:
            self._text += self._text[:0].join(self._tail)
            self._tail = []
        return self._text

    def getvalue(self):
        self._check()
        return self._whole()

    def _size(self, size):
        if size is not None and not isinstance(size, int):
            raise TypeError("argument should be integer or None, not '%s'" % type(size).__name__)
        return -1 if size is None else size

    def read(self, size=-1, /):
        self._check()
        size = self._size(size)
        if self._at >= self._length:
            return self._text[:0]
        text = self._whole()[self._at:self._length if size < 0 else self._at + size]
        self._at += len(text)
        return text

    def readline(self, size=-1, /):
        self._check()
        size = self._size(size)
        if self._at >= self._length:
            return self._text[:0]
        text = self._whole()
        end = text.find(self._newline, self._at)
        end = self._length if end < 0 else end + len(self._newline)
        if 0 <= size < end - self._at:
            end = self._at + size
        line = text[self._at:end]
        self._at = end
        return line

    def write(self, text, /):
        self._check()
        kept = self._accept(text)
        if self._at == self._length:
            self._tail.append(kept)
        elif kept:
            whole = self._whole() + self._filler * (self._at - self._length)
            self._text = whole[:self._at] + kept + whole[self._at + len(kept):]
        self._at += len(kept)
        self._length = max(self._length, self._at)
        return len(text)

    def tell(self):
        self._check()
        return self._at

    def truncate(self, size=None, /):
        self._check()
        size = self._at if size is None else size
        if size < 0:
            raise ValueError("%s size value %d" % (self._negative, size))
        self._text = self._whole()[:size]
        self._length = len(self._text)
        return size

    def flush(self):
        self._check()

    def close(self):
        self.closed = True

    def readable(self):
        self._check()
        return True

    writable = seekable = readable


class StringIO(_Memory, TextIOBase):
    _filler, _negative, _full_stop = "\0", "Negative", ""
    encoding = errors = None

    def __init__(self, initial_value="", newline="\n"):
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError("initial_value must be str or None, not %s" % type(initial_value).__name__)
        if newline not in (None, "", "\n", "\r", "\r\n"):
            raise ValueError("illegal newline value: %r" % (newline,))
        self._translate = newline
        self._newline = newline or "\n"
        self._start("")
        self._start(self._accept(initial_value or ""))

    def _accept(self, text):
        if not isinstance(text, str):
            raise TypeError("string argument expected, got %r" % type(text).__name__)
        if self._translate is None:
            return text.replace("\r\n", "\n").replace("\r", "\n")
        return text.replace("\n", self._newline) if self._newline != "\n" else text

    @property
    def line_buffering(self):
        return False

    newlines = None

    def seek(self, offset, whence=0, /):
        self._check()
        if whence not in (0, 1, 2):
            raise ValueError("Invalid whence (%d, should be 0, 1 or 2)" % whence)
        if offset < 0 and whence == 0:
            raise ValueError("Negative seek position %d" % offset)
        if whence and offset:
            raise OSError("Can't do nonzero cur-relative seeks")
        self._at = (offset, self._at, self._length)[whence]
        return self._at


class BytesIO(_Memory, BufferedIOBase):
    _newline, _filler, _negative = b"\n", b"\0", "negative"

    def __init__(self, initial_bytes=b""):
        self._start(b"")
        if initial_bytes is not None:
            self._start(self._accept(initial_bytes))

    def _accept(self, data):
        if isinstance(data, (str, int, list, tuple)) or data is None:
            raise TypeError("a bytes-like object is required, not '%s'" % type(data).__name__)
        return bytes(data)

    def seek(self, offset, whence=0, /):
        self._check()
        if whence not in (0, 1, 2):
            raise ValueError("invalid whence (%d, should be 0, 1 or 2)" % whence)
        if offset < 0 and whence == 0:
            raise ValueError("negative seek value %d" % offset)
        self._at = max((0, self._at, self._length)[whence] + offset, 0)
        return self._at

    def getbuffer(self):
        return self.getvalue()

    read1 = _Memory.read


class TextIOWrapper(TextIOBase):
    def __init__(self, buffer, encoding=None, errors=None, newline=None, line_buffering=False, write_through=False):
        self.buffer = buffer
        self.encoding, self.errors = encoding or "utf-8", errors or "strict"
        self._newline = newline
        self._rest = None

    @property
    def name(self):
        return self.buffer.name

    def _loaded(self):
        """What is left to read, all of it decoded at once."""
        self._check()
        if self._rest is None:
            text = self.buffer.read().decode(self.encoding, self.errors)
            self._rest = StringIO(text, None if self._newline is None else "\n")
        return self._rest

    def read(self, size=-1, /):
        return self._loaded().read(size)

    def readline(self, size=-1, /):
        return self._loaded().readline(size)

    def write(self, text, /):
        self._check()
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not %s" % type(text).__name__)
        ends = text.replace("\n", self._newline) if self._newline in ("\r", "\r\n") else text
        self.buffer.write(ends.encode(self.encoding, self.errors))
        return len(text)

    def flush(self):
        self._check()
        self.buffer.flush()

    def close(self):
        if not self.closed:
            self.flush()
            self.closed = True
            self.buffer.close()

    def detach(self):
        buffer, self.buffer = self.buffer, None
        return buffer

    def seek(self, offset, whence=0, /):
        self._rest = None
        return self.buffer.seek(offset, whence)

    def readable(self):
        return self.buffer.readable()

    def writable(self):
        return self.buffer.writable()

    def seekable(self):
        return self.buffer.seekable()


def text_encoding(encoding, stacklevel=2, /):
    return encoding or "locale"
