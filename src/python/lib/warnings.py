# SPDX-License-Identifier: MIT
# warnings: shown once each, on standard error.
import sys as _sys

_ignored = []
_seen = set()


def warn(message, category=None, stacklevel=1, source=None):
    kind = type(message) if isinstance(message, Warning) else category or UserWarning
    key = (kind.__name__, str(message))
    if key in _seen or any(issubclass(kind, ignored) for ignored in _ignored):
        return
    _seen.add(key)
    _sys.stderr.write("%s: %s\n" % key)


def warn_explicit(message, category, filename, lineno, *args, **kwargs):
    warn(message, category)


def simplefilter(action, category=Warning, lineno=0, append=False):
    if action == "ignore":
        _ignored.append(category)


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    if not message:
        simplefilter(action, category)


def resetwarnings():
    _ignored.clear()


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning):
        self._record = record

    def __enter__(self):
        self._kept = list(_ignored)
        return [] if self._record else None

    def __exit__(self, *exc):
        _ignored[:] = self._kept
