# SPDX-License-Identifier: MIT
# What a Python script makes a value from again which JSON has no words for: parts(x) gives the name of a way of
# `_built` in preamble.py, and what it takes. As with pickle, classes and functions go by their names: the script imports
# them. This file is run by the engine's own evaluator.
import builtins
import collections
import copy
import datetime
import functools
import os
import re
import sys
import time
import types
import uuid
from enum import Enum
from pathlib import PurePath

_makers = {copy._new: "copyreg:__newobj__", copy._new_named: "copyreg:__newobj_ex__"}
_constants = {type(...): "builtins:Ellipsis", type(NotImplemented): "builtins:NotImplemented"}
_modules = {"builtins": builtins}
_named = (type, types.FunctionType, types.BuiltinFunctionType)
_rows = {time.struct_time, os.stat_result, os.terminal_size}


def _datetime(x):
    return x.year, x.month, x.day, x.hour, x.minute, x.second, x.microsecond, x.tzinfo


# arguments of classes that are the engine's own, whose objects hold something else than those of python3
_arguments = {
    complex: lambda x: (x.real, x.imag),
    bytearray: lambda x: (bytes(x),),
    slice: lambda x: (x.start, x.stop, x.step),
    uuid.UUID: lambda x: (str(x),),
    datetime.date: lambda x: (x.year, x.month, x.day),
    datetime.time: lambda x: (x.hour, x.minute, x.second, x.microsecond, x.tzinfo),
    datetime.datetime: _datetime,
    datetime.timedelta: lambda x: (x.days, x.seconds, x.microseconds),
    datetime.timezone: lambda x: (x._offset,) if x._name is None else (x._offset, x._name),
    collections.Counter: lambda x: (dict(x),),
    collections.OrderedDict: lambda x: (list(x.items()),),
    collections.defaultdict: lambda x: (x.default_factory, dict(x)),
    collections.deque: lambda x: (list(x), x.maxlen),
    collections.ChainMap: lambda x: x.maps,
}


def _native_name(x):
    """The engine's own functions do not say where they are."""
    for module, found in [*_modules.items(), *sys.modules.items()]:
        if module[0] != "_" and getattr(found, x.__name__, None) is x:
            return f"{module}:{x.__name__}"
    return ""


def _name(x):
    """MODULE:NAME of a class or function that a script can import; "": it cannot."""
    if isinstance(x, types.BuiltinFunctionType):
        return _native_name(x)
    module, name = getattr(x, "__module__", None), getattr(x, "__qualname__", None)
    found = _modules.get(module, sys.modules.get(module)) if isinstance(name, str) else None
    if found is None:
        return ""
    for part in name.split("."):
        found = getattr(found, part, None)
    return f"{module}:{name}" if found is x else ""


def _is_own(cls):
    """A class of a Python file of the user's, whose objects are there what they are here."""
    return getattr(sys.modules.get(cls.__module__), "__file__", None) and _name(cls)


def _refusal(x):
    named = x if isinstance(x, _named) else type(x)
    what = getattr(named, "__qualname__", str(named))
    if named is not x:
        what = "an object of " + what
    if getattr(named, "__module__", None) == "snakemake.workflow":  # a Snakefile's name
        advice = "define that in a Python module and import it in the Snakefile: the script then does the same"
    else:
        advice = "pass what it is made from, or its str()"
    return TypeError(f"{what} cannot be handed to a Python script; {advice}")


def _reduced(x, cls):
    parts = copy._reduced(x, cls)
    if isinstance(parts, str):
        return "name", [f"{cls.__module__}:{parts}"]
    make, args, *more = parts
    if make is copy._filled_set:
        make, args = cls, args[1:]
    name = _makers.get(make) or _name(make)
    if not name or len(more) > 3:
        raise _refusal(x)
    return "object", [name, list(args), *more, *[None] * (3 - len(more))]


def parts(x):
    cls = type(x)
    if cls in _constants:
        return "name", [_constants[cls]]
    if isinstance(x, _named):
        name = _name(x)
        if not name:
            raise _refusal(x)
        return "name", [name]
    name, args = "", None
    if isinstance(x, PurePath):
        name, args = "pathlib:Path", [str(x)]
    elif cls is re.Pattern:
        name, args = "re:compile", [x.pattern, x.flags]
    elif cls in _arguments:
        name, args = f"{cls.__module__}:{cls.__qualname__}", list(_arguments[cls](x))
    elif cls in _rows:
        name, args = _name(cls), [tuple(x)]
    elif cls is types.SimpleNamespace:
        return "object", ["types:SimpleNamespace", [], x.__dict__, None, None]
    elif cls is functools.partial:
        return "partial", [x.func, list(x.args), x.keywords]
    elif _is_own(cls) or isinstance(x, BaseException) and _name(cls):
        return _reduced(x, cls)
    elif isinstance(x, tuple) and hasattr(cls, "_fields"):
        return "row", [cls.__name__, list(x._fields), list(x)]
    elif isinstance(x, str) and not isinstance(x, Enum):
        return "text", [str.__str__(x)]
    if not name:
        raise _refusal(x)
    return "object", [name, args, None, None, None]
