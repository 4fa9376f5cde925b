# SPDX-License-Identifier: MIT
# warnings: filters decide what becomes of a warning; what is shown goes to standard error.
import _traceback
import re as _re
import sys as _sys

defaultaction = "default"
_actions = ("error", "ignore", "always", "default", "module", "once")
_seen = set()
filters = [
    ("default", None, DeprecationWarning, _re.compile("__main__"), 0),
    ("ignore", None, DeprecationWarning, None, 0),
    ("ignore", None, PendingDeprecationWarning, None, 0),
    ("ignore", None, ImportWarning, None, 0),
    ("ignore", None, ResourceWarning, None, 0),
]


class WarningMessage:
    def __init__(self, message, category, filename, lineno, file=None, line=None, source=None):
        self.message, self.category, self.filename, self.lineno = message, category, filename, lineno
        self.file, self.line, self.source = file, line, source
        self._category_name = category.__name__ if category else None

    def __str__(self):
        return "{message : %r, category : %r, filename : %r, lineno : %s, line : %r}" % (
            self.message, self._category_name, self.filename, self.lineno, self.line)


def formatwarning(message, category, filename, lineno, line=None):
    text = "%s:%s: %s: %s\n" % (filename, lineno, category.__name__, message)
    return text + "  %s\n" % line.strip() if line else text


def showwarning(message, category, filename, lineno, file=None, line=None):
    (file or _sys.stderr).write(formatwarning(message, category, filename, lineno, line))


_original = showwarning


def _place(stacklevel):
    """(file, line, text, module) of the caller of warn(), or of one further out."""
    places = [place for place in _traceback.stack() if place[0] not in ("<warnings>", "<threading>")]
    if not 0 < stacklevel <= len(places):
        return "sys", 1, "", "sys"
    name, line, _, text, _, _ = places[-stacklevel]
    module = "__main__" if name == places[0][0] else name.rpartition("/")[2].removesuffix(".py")
    return name, line, text, module


def _action(text, category, module, lineno):
    for action, message, kind, where, line in filters:
        if ((message is None or message.match(text)) and issubclass(category, kind)
                and (where is None or where.match(module)) and line in (0, lineno)):
            return action
    return defaultaction


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError("category must be a Warning subclass, not '%s'" % type(category).__name__)
    name, line, text, module = _place(max(stacklevel, 1))
    _pass_on(message, category, name, line, module, text, source)


def warn_explicit(message, category, filename, lineno, module=None, registry=None, module_globals=None, source=None):
    _pass_on(message, type(message) if isinstance(message, Warning) else category, filename, lineno,
             module or filename.removesuffix(".py"), "", source)


def _pass_on(message, category, filename, lineno, module, line, source):
    text = str(message)
    warning = message if isinstance(message, Warning) else category(message)
    action = _action(text, category, module, lineno)
    if action == "ignore":
        return
    if action == "error":
        raise warning
    if action != "always":
        key = {"once": (text, category), "module": (text, category, module)}.get(
            action, (text, category, filename, lineno))
        if key in _seen:
            return
        _seen.add(key)
    if _recording:
        _recording[-1].append(WarningMessage(warning, category, filename, lineno, source=source))
    else:
        showwarning(warning, category, filename, lineno, None, *([line] if showwarning is _original else []))


def _add(item, append):
    if item in filters:
        if append:
            return
        filters.remove(item)
    filters.insert(len(filters) if append else 0, item)
    _seen.clear()


def _check(action, lineno):
    if action not in _actions:
        raise AssertionError("invalid action: %r" % (action,))
    if not isinstance(lineno, int) or lineno < 0:
        raise AssertionError("lineno must be an int >= 0")


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    _check(action, lineno)
    _add((action, _re.compile(message, _re.I) if message else None, category,
          _re.compile(module) if module else None, lineno), append)


def simplefilter(action, category=Warning, lineno=0, append=False):
    _check(action, lineno)
    _add((action, None, category, None, lineno), append)


def resetwarnings():
    filters.clear()
    _seen.clear()


_recording = []


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record, self._filter = record, (action, category, lineno, append)
        self._entered = False

    def __enter__(self):
        global showwarning, _recording
        if self._entered:
            raise RuntimeError("Cannot enter %r twice" % self)
        self._entered = True
        self._kept = list(filters), showwarning, list(_recording)
        _seen.clear()
        if self._filter[0] is not None:
            simplefilter(*self._filter)
        if not self._record:
            return None
        log = []
        _recording.append(log)
        return log

    def __exit__(self, *exc):
        global showwarning, _recording
        if not self._entered:
            raise RuntimeError("Cannot exit %r without entering first" % self)
        filters[:], showwarning, _recording = self._kept
        _seen.clear()

    def __repr__(self):
        return "catch_warnings(%s)" % ("record=True" if self._record else "")
