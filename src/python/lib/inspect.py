# SPDX-License-Identifier: MIT
# inspect: what asks for the running code, what things of ours are, and where they stand; all else is python3's.
import _imp
import _traceback
import os.path as _path
import sys as _sys
import types as _types


class _Code:
    def __init__(self, filename, name, line):
        self.co_filename, self.co_name, self.co_firstlineno = filename, name, line


class _Frame:
    def __init__(self, frames, at):
        (filename, line, name, text, _, _), self.f_globals, self.f_locals = frames[at]
        self.f_code, self.f_lineno = _Code(_absolute(filename), name, line), line
        self._frames, self._at, self._text = frames, at, text

    @property
    def f_back(self):
        return _Frame(self._frames, self._at - 1) if self._at else None

    def clear(self):
        pass


class FrameInfo:
    def __init__(self, frame):
        self.frame, self.lineno, self.index = frame, frame.f_lineno, 0
        self.filename, self.function = frame.f_code.co_filename, frame.f_code.co_name
        self.code_context = [frame._text + "\n"]

    def __iter__(self):
        return iter((self.frame, self.filename, self.lineno, self.function, self.code_context, self.index))

    def __getitem__(self, at):
        return tuple(self)[at]


def _absolute(filename):
    return filename if filename.startswith("<") else _path.abspath(filename)


def _frame(depth):
    frames = _traceback.frames()
    if depth + 3 > len(frames):  # this function and the one that asks are the last
        raise ValueError("call stack is not deep enough")
    return _Frame(frames, len(frames) - 3 - depth)


def currentframe():
    return _frame(0)


def _getframe(depth):
    return _frame(depth)


def stack(context=1):
    found, frame = [], _frame(0)
    while frame:
        found.append(FrameInfo(frame))
        frame = frame.f_back
    return found


def _is_here(x):
    return _imp.instance_here(x, object)


def _kind(name, *kinds):
    """The question whether something is of these types; of its own things python3 knows."""
    def asked(x):
        if any(_imp.instance_here(x, kind) for kind in kinds):
            return True
        return not _is_here(x) and __getattr__(name)(x)

    asked.__name__ = asked.__qualname__ = name
    return asked


isbuiltin = _kind("isbuiltin", _types.BuiltinFunctionType)
isclass = _kind("isclass", type)
isfunction = _kind("isfunction", _types.FunctionType)
isgenerator = _kind("isgenerator", _types.GeneratorType)
ismethod = _kind("ismethod", _types.MethodType)
ismodule = _kind("ismodule", _types.ModuleType)
isroutine = _kind("isroutine", _types.BuiltinFunctionType, _types.FunctionType, _types.MethodType)


def getmembers(object, predicate=None):
    if not _is_here(object):
        return __getattr__("getmembers")(object, predicate)
    found = []
    for name in sorted(dir(object)):
        try:
            member = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(member):
            found.append((name, member))
    return found


def signature(obj, **options):
    if _imp.instance_here(obj, type) and _imp.instance_here(obj.__init__, _types.FunctionType):
        return signature(_types.MethodType(obj.__init__, obj)).replace(return_annotation=__getattr__("Signature").empty)
    made = __getattr__("signature")(obj, **options)
    hints = getattr(obj, "__annotations__", None) if isroutine(obj) and _is_here(obj) else None
    if not hints:
        return made
    parts = [p.replace(annotation=hints[p.name]) if p.name in hints else p for p in made.parameters.values()]
    return made.replace(parameters=parts, return_annotation=hints.get("return", made.empty))


def getfile(x):
    if isinstance(x, (_Frame, FrameInfo)):
        return (x if isinstance(x, _Frame) else x.frame).f_code.co_filename
    if _imp.instance_here(x, _types.MethodType):
        x = x.__func__
    if _imp.instance_here(x, _types.FunctionType):
        return _absolute(x.__code__.co_filename)
    if _imp.instance_here(x, _types.ModuleType) and hasattr(x, "__file__"):
        return _absolute(x.__file__)
    if _imp.instance_here(x, type):
        module = _sys.modules.get(x.__module__)
        if _imp.instance_here(module, _types.ModuleType) and hasattr(module, "__file__"):
            return _absolute(module.__file__)
    return __getattr__("getfile")(x)


getsourcefile = getfile


def __getattr__(name):
    return getattr(_imp.elsewhere("inspect"), name)
