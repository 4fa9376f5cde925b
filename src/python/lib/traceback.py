# SPDX-License-Identifier: MIT
# traceback: exceptions as text; the places stand in the diagnostics.
import sys as _sys


def format_exception_only(exc, /, value=None):
    error = exc if value is None else value
    text = str(error)
    name = type(error).__name__
    return [(name + ": " + text if text else name) + "\n"]


def format_exception(exc, /, value=None, tb=None, limit=None, chain=True):
    error = exc if value is None else value
    return ["Traceback (most recent call last):\n"] + format_exception_only(error)


def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True):
    (file or _sys.stderr).write("".join(format_exception(exc, value)))


def _current():
    return _sys.exc_info()[1]


def format_exc(limit=None, chain=True):
    error = _current()
    return "NoneType: None\n" if error is None else "".join(format_exception(error))


def print_exc(limit=None, file=None, chain=True):
    (file or _sys.stderr).write(format_exc())


def format_tb(tb, limit=None):
    return []


def extract_tb(tb, limit=None):
    return []


def print_tb(tb, limit=None, file=None):
    pass


def format_stack(f=None, limit=None):
    return []


def print_stack(f=None, limit=None, file=None):
    pass
