# SPDX-License-Identifier: MIT
# traceback: exceptions, and where they passed, as text in CPython's shape.
import _traceback
import sys as _sys

_unset = object()


class FrameSummary:
    def __init__(self, filename, lineno, name, *, lookup_line=True, locals=None, line=None, end_lineno=None,
                 colno=None, end_colno=None):
        self.filename, self.lineno, self.name = filename, lineno, name
        self._line = line or ""
        self.colno, self.end_colno = colno, end_colno
        self.locals = None

    @property
    def line(self):
        return self._line.strip()

    def _fields(self):
        return self.filename, self.lineno, self.name, self.line

    def __iter__(self):
        return iter(self._fields())

    def __len__(self):
        return 4

    def __getitem__(self, at):
        return self._fields()[at]

    def __eq__(self, other):
        return isinstance(other, (FrameSummary, tuple)) and self._fields() == tuple(other)

    def __repr__(self):
        return "<FrameSummary file %s, line %s in %s>" % (self.filename, self.lineno, self.name)

    def _text(self):
        text = '  File "%s", line %s, in %s\n' % (self.filename, self.lineno, self.name)
        if not self.line:
            return text
        text += "    %s\n" % self.line
        if self.colno is None:
            return text
        indent = len(self._line) - len(self._line.lstrip())
        start, end = self.colno - indent, min(self.end_colno - indent, len(self.line))
        if start >= 0 and end > start and self.line[start:end] != self.line:
            text += "    %s%s\n" % (" " * start, "^" * (end - start))
        return text


class StackSummary(list):
    def format(self):
        lines, last, times = [], None, 0
        for frame in self:
            place = (frame.filename, frame.lineno, frame.name)
            if place != last:
                lines += _repeated(times)
                last, times = place, 0
            times += 1
            if times <= 3:
                lines.append(frame._text())
        return lines + _repeated(times)

    @classmethod
    def from_list(cls, entries):
        return cls(entry if isinstance(entry, FrameSummary) else
                   FrameSummary(entry[0], entry[1], entry[2], line=entry[3]) for entry in entries)


def _repeated(times):
    if times <= 3:
        return []
    return ["  [Previous line repeated %d more time%s]\n" % (times - 3, "s" if times > 4 else "")]


def _summary(places, limit, from_the_end=False):
    if limit is not None and limit >= 0:
        places = places[-limit:] if from_the_end and limit else places[:limit]
    elif limit is not None:
        places = places[limit:] if not from_the_end else places[:-limit]
    return StackSummary(FrameSummary(name, line, function, line=text, colno=start, end_colno=end)
                        for name, line, function, text, start, end in places)


# ---- exceptions ----


def _text_of(error):
    try:
        return str(error)
    except Exception:
        return "<exception str() failed>"


def _only(kind, error):
    if kind is None:
        return ["NoneType: None\n"]
    name = kind.__qualname__
    if kind.__module__ not in ("builtins", "__main__"):
        name = "%s.%s" % (kind.__module__, name)
    text = "" if error is None else _text_of(error)
    lines = ["%s: %s\n" % (name, text) if text else name + "\n"]
    notes = getattr(error, "__notes__", None)
    if notes is not None and not isinstance(notes, (list, tuple)):
        notes = [repr(notes)]
    for note in notes or ():
        lines += [line + "\n" for line in _text_of(note).split("\n")]
    return lines


def _chained(error, limit, chain, seen):
    lines = []
    seen.add(id(error))
    if chain:
        cause, context = error.__cause__, error.__context__
        if cause is not None and id(cause) not in seen:
            lines = _chained(cause, limit, chain, seen)
            lines.append("\nThe above exception was the direct cause of the following exception:\n\n")
        elif cause is None and context is not None and not error.__suppress_context__ and id(context) not in seen:
            lines = _chained(context, limit, chain, seen)
            lines.append("\nDuring handling of the above exception, another exception occurred:\n\n")
    places = _traceback.places(error)
    if places:
        lines.append("Traceback (most recent call last):\n")
        lines += _summary(places, limit).format()
    return lines + _only(type(error), error)


def format_exception_only(exc, /, value=_unset):
    if value is _unset:
        value = exc
    return _only(None if value is None and exc is None else type(value) if value is not None else exc, value)


def format_exception(exc, /, value=_unset, tb=_unset, limit=None, chain=True):
    error = exc if value is _unset else value
    return ["NoneType: None\n"] if error is None else _chained(error, limit, chain, set())


def print_exception(exc, /, value=_unset, tb=_unset, limit=None, file=None, chain=True):
    (file or _sys.stderr).write("".join(format_exception(exc, value, tb, limit, chain)))


def format_exc(limit=None, chain=True):
    return "".join(format_exception(_sys.exc_info()[1], limit=limit, chain=chain))


def print_exc(limit=None, file=None, chain=True):
    print_exception(_sys.exc_info()[1], limit=limit, file=file, chain=chain)


class TracebackException:
    def __init__(self, exc_type, exc_value, exc_traceback=None, *, limit=None, **options):
        self.exc_type, self._error, self._limit = exc_type, exc_value, limit
        self.stack = _summary(_traceback.places(exc_value), limit)

    @classmethod
    def from_exception(cls, exc, **options):
        return cls(type(exc), exc, exc.__traceback__, **options)

    def format(self, *, chain=True):
        yield from _chained(self._error, self._limit, chain, set())

    def format_exception_only(self):
        yield from _only(self.exc_type, self._error)

    def __str__(self):
        return _text_of(self._error)


# ---- places ----


def extract_tb(tb, limit=None):
    return _summary(_traceback.places(tb), limit)


def format_tb(tb, limit=None):
    return extract_tb(tb, limit).format()


def print_tb(tb, limit=None, file=None):
    (file or _sys.stderr).write("".join(format_tb(tb, limit)))


def format_list(extracted_list):
    return StackSummary.from_list(extracted_list).format()


def print_list(extracted_list, file=None):
    (file or _sys.stderr).write("".join(format_list(extracted_list)))


def extract_stack(f=None, limit=None):
    return _summary([place for place in _traceback.stack() if place[0] != "<traceback>"], limit, True)


def format_stack(f=None, limit=None):
    return extract_stack(f, limit).format()


def print_stack(f=None, limit=None, file=None):
    (file or _sys.stderr).write("".join(format_stack(f, limit)))
