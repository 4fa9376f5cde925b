# SPDX-License-Identifier: MIT
# What a Python script of a rule sees before its first line: the object `snakemake`, made from JSON. The engine writes
# this text and a last line that starts the script. Only the standard library, Python 3.7 or later.
import json as _json
import os as _os
import sys as _sys


def _named(name):
    import importlib

    module, names = name.split(":")
    try:
        found = importlib.import_module(module)
        for part in names.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        text = "a value of the job needs %s of the module %s, which this Python cannot import: %s"
        raise ImportError(text % (names, module, error)) from None
    return found


def _object(make, args, state, items, pairs):
    """As pickle makes one."""
    made = _named(make)(*args)
    if hasattr(made, "__setstate__") and state is not None:
        made.__setstate__(state)
    elif state:
        own, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
        if own:
            made.__dict__.update(own)
        for name, item in (slots or {}).items():
            object.__setattr__(made, name, item)
    if items:
        made.extend(items)
    for key, item in pairs or ():
        made[key] = item
    return made


def _partial(function, args, keywords):
    import functools

    return functools.partial(function, *args, **keywords)


_rows = {}


def _row(name, fields, items):
    import collections

    key = (name, *fields)
    if key not in _rows:
        _rows[key] = collections.namedtuple(name, fields, rename=True)
    return _rows[key](*items)


def _named_list(kind, items, names):
    return globals()[kind](items, names)


def _unpickled(digits):
    import pickle

    return pickle.loads(bytes.fromhex(digits))


def _built(mapping):
    """What JSON has no words for comes as {"__WAY__": [ARGUMENTS]} of one of these."""
    way, *more = mapping or [""]
    return _ways[way](*mapping[way]) if not more and way in _ways else mapping


_ways = {
    "__pickle__": _unpickled,
    "__name__": _named,
    "__object__": _object,
    "__partial__": _partial,
    "__row__": _row,
    "__named__": _named_list,
    "__text__": str,
    "__tuple__": tuple,
    "__set__": set,
    "__frozenset__": frozenset,
    "__bytes__": bytes,
    "__range__": range,
    "__dict__": dict,
}


class Namedlist(list):
    """A list whose items, or runs of items, also have names."""

    def __init__(self, items=(), names=()):
        list.__init__(self, items)
        self._names = {}
        for name, at, end in names:
            self._names[name] = (at, end)
            self.__dict__[name] = self[at] if end is None else Namedlist(self[at:end])

    def __getitem__(self, key):
        return getattr(self, key) if isinstance(key, str) else list.__getitem__(self, key)

    def __hash__(self):
        return hash(tuple(self))

    def __str__(self):
        return " ".join(map(str, self))

    def get(self, key, default_value=None):
        return self.__dict__.get(key, default_value) if key in self._names else default_value

    def keys(self):
        return self._names.keys()

    def items(self):
        for name in self._names:
            yield name, getattr(self, name)


class InputFiles(Namedlist):
    @property
    def size_files(self):
        return [_os.path.getsize(path) for path in self]

    @property
    def size(self):
        return sum(self.size_files)

    @property
    def size_kb(self):
        return self.size / 1024

    @property
    def size_mb(self):
        return self.size / 1024**2

    @property
    def size_gb(self):
        return self.size / 1024**3


class OutputFiles(Namedlist):
    pass


class Wildcards(Namedlist):
    pass


class Params(Namedlist):
    pass


class ResourceList(Namedlist):
    pass


class Log(Namedlist):
    pass


class ReportHref:
    """The address of a result in a report's archive, as seen from another result."""

    def __init__(self, path, parent=None, args=None, anchor=None):
        self._path, self._parent, self._args, self._anchor = str(path), parent, args, anchor

    def child_path(self, path):
        return ReportHref(path, parent=self)

    def url_args(self, **args):
        return ReportHref(self._path, self._parent, args)

    def anchor(self, anchor):
        return ReportHref(self._path, self._parent, self._args, anchor)

    def _folder(self):
        import hashlib

        return self._parent._folder() if self._parent else hashlib.sha256(self._path.encode()).hexdigest()[:16]

    def __str__(self):
        import urllib.parse

        text = "../%s/%s" % (self._folder(), self._path if self._parent else _os.path.basename(self._path))
        if self._args:
            text += "?" + "&".join("%s=%s" % (k, urllib.parse.quote(str(v))) for k, v in self._args.items())
        return text + ("#" + urllib.parse.quote(self._anchor) if self._anchor else "")


class Snakemake:
    """Everything a script may know of its job."""

    def __init__(self, data):
        def part(kind, name):
            return kind(data[name]["items"], data[name]["names"])

        self.input = part(InputFiles, "input")
        self.output = part(OutputFiles, "output")
        self.params = part(Params, "params")
        self.wildcards = part(Wildcards, "wildcards")
        self.resources = part(ResourceList, "resources")
        self.log = part(Log, "log")
        self.threads = data["threads"]
        self.config = data["config"]
        self.rule = data["rule"]
        self.jobid = data["jobid"]
        self.bench_iteration = data["bench_iteration"]
        self.scriptdir = data["scriptdir"]

    def log_fmt_shell(self, stdout=True, stderr=True, append=False):
        """The redirection of a shell command into the job's log file, or nothing if it has none."""
        if not self.log:
            return ""
        arrow = ">>" if append else ">"
        streams = {(True, True): " %s %s 2>&1", (True, False): " %s %s", (False, True): " 2%s %s"}
        form = streams.get((stdout, stderr))
        return form % (arrow, self.log) if form else ""

    def report_href(self, path):
        return ReportHref(path)


class _Shell:
    """shell("command {variable}"): runs it in bash's strict mode."""

    _settings = {"executable": "bash", "prefix": "set -euo pipefail; ", "suffix": ""}

    def executable(self, cmd):
        self._settings["executable"] = cmd

    def prefix(self, prefix):
        self._settings["prefix"] = prefix

    def suffix(self, suffix):
        self._settings["suffix"] = suffix

    def _format(self, command, args, names):
        import shlex
        import string

        class Formatter(string.Formatter):
            def format_field(self, field, spec):
                many = isinstance(field, (list, tuple, set, frozenset))
                return " ".join(self._one(item, spec) for item in field) if many else self._one(field, spec)

            def _one(self, item, spec):
                quote = spec.endswith("q")
                text = format(item, spec[:-1] if spec[-1:] in ("q", "u") else spec)
                return shlex.quote(text) if quote and text else text

        return Formatter().vformat(command, args, names)

    def __call__(self, cmd, *args, iterable=False, read=False, **names):
        import subprocess

        frame = _sys._getframe(1)
        known = dict(frame.f_globals)
        known.update(frame.f_locals)
        known.update(names)
        text = self._settings["prefix"] + " " + self._format(cmd, args, known) + " " + self._settings["suffix"]
        pipe = subprocess.PIPE if iterable or read else None
        try:  # what was printed stands before what the command prints
            _sys.stdout.flush()
        except (AttributeError, ValueError):
            pass  # the script has put something else there, which may be closed
        process = subprocess.Popen([self._settings["executable"], "-c", text], stdout=pipe, universal_newlines=True)
        if iterable:
            return self._lines(process, text)
        out = process.communicate()[0]
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, text)
        return out if read else None

    def _lines(self, process, text):
        import subprocess

        for line in process.stdout:
            yield line.rstrip("\n")
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, text)


class _Logger:
    """Snakemake's logger, found when it is used: most scripts can do without the module of logs."""

    def __getattr__(self, name):
        import logging

        return getattr(logging.getLogger("snakemake.logging"), name)


# ---- modules of the name snakemake, for scripts that import them where Snakemake is not installed ----


def _makedirs(dirnames):
    for name in [dirnames] if isinstance(dirnames, str) else dirnames:
        _os.makedirs(name, exist_ok=True)


def _update_config(config, overwrite_config):
    for key, value in overwrite_config.items():
        if isinstance(value, dict):
            inner = config.setdefault(key, {})
            if value and not isinstance(inner, dict):
                inner = config[key] = {}
            _update_config(inner, value)
        else:
            config[key] = value


def _texts(paths):
    """A path as a list of one, and a pathlib.Path as a text."""
    single = isinstance(paths, (str, _os.PathLike))
    return [_os.fspath(path) if isinstance(path, _os.PathLike) else path for path in ([paths] if single else paths)]


def _flagged(value, *args, **named):
    """What marks files in a Snakefile says nothing in a script."""
    texts = _texts(value)
    return texts[0] if isinstance(value, (str, _os.PathLike)) else texts


def _multiext(prefix, *extensions, **named_extensions):
    return [prefix + extension for extension in (*extensions, *named_extensions.values())]


class _Kept(dict):
    """Values of wildcards, where a name without one stays what it is."""

    def __missing__(self, name):
        return "{%s}" % name


def _expand(filepatterns, combinator=None, **wildcards):
    import itertools
    import re
    import string

    found, kept = [], wildcards.get("allow_missing") is True
    patterns = [(text, re.findall(r"{([^}.[!:]+)", text)) for text in _texts(filepatterns)]
    values = _Kept if kept and not any("allow_missing" in names for _, names in patterns) else dict
    for pattern, names in patterns:
        columns = []
        for name, value in wildcards.items():
            if callable(value):
                raise TypeError("expand() in a script cannot wait for what the function %s gives" % name)
            one = isinstance(value, str) or not hasattr(value, "__iter__") or hasattr(value, "_fields")
            if name in names:
                columns.append([(name, item) for item in ([value] if one else value)])
        for row in (combinator or itertools.product)(*columns):
            try:
                found.append(string.Formatter().vformat(pattern, (), values(row)))
            except KeyError as error:
                kind = _sys.modules["snakemake.exceptions"].WildcardError
                raise kind("No values given for wildcard %s." % error) from None
    return found


def _glob_wildcards(pattern, files=None, followlinks=False):
    import collections
    import re

    pattern = _os.path.normpath(pattern)
    text, last, names = "", 0, []
    for at in re.finditer(r"{\s*(\w+)\s*(?:,\s*((?:[^{}]+|{\d+(?:,\d+)?})*))?}", pattern):
        text += re.escape(pattern[last : at.start()])
        text += "(?P=%s)" % at[1] if at[1] in names else "(?P<%s>%s)" % (at[1], at[2] or ".+")
        names += [] if at[1] in names else [at[1]]
        last = at.end()
    if files is None:
        first = re.search("{[^{]", pattern)
        top = _os.path.dirname(pattern[: first.start()] if first else pattern) or "."
        walk = _os.walk(top, followlinks=followlinks)
        files = (_os.path.normpath(_os.path.join(at, name)) for at, dirs, inner in walk for name in inner + dirs)
    whole = re.compile(text + re.escape(pattern[last:]) + "$")
    rows = [[found[name] for name in names] for found in map(whole.match, files) if found]
    return collections.namedtuple("Wildcards", names)(*([row[i] for row in rows] for i in range(len(names))))


def _lacking(what, names):
    known = ", ".join(sorted(name for name in names if name[0] != "_"))
    text = "%s: %s has no package snakemake, and what stands in for it has only %s. Install snakemake for that Python"
    return text % (what, _sys.executable, known)


class _Absent:
    """The last of those that are asked for modules."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.startswith("snakemake."):
            names = [known[10:] for known in _sys.modules if known.startswith("snakemake.")]
            raise ModuleNotFoundError(_lacking("No module named '%s'" % name, names), name=name)


def _stand_in():
    import types

    def module(name, **names):
        def absent(key):
            if key[:2] == "__":
                raise AttributeError(key)
            raise ImportError(_lacking("cannot import name '%s' from '%s'" % (key, name), made.__dict__), name=name)

        made = _sys.modules[name] = types.ModuleType(name)
        made.__dict__.update(names, __getattr__=absent)
        if "." in name:
            setattr(_sys.modules["snakemake"], name[10:], made)

    kinds = {kind.__name__: kind for kind in (Namedlist, InputFiles, OutputFiles, Wildcards, Params, ResourceList, Log)}
    flags = dict.fromkeys(["temp", "temporary", "directory", "protected", "touch", "ancient"], _flagged)
    error = type("WorkflowError", (Exception,), {})
    utils = {"makedirs": _makedirs, "update_config": _update_config, "min_version": lambda version: None}
    module("snakemake", __path__=[])
    module("snakemake.script", Snakemake=Snakemake, snakemake=snakemake)
    module("snakemake.shell", shell=shell)
    module("snakemake.io", expand=_expand, glob_wildcards=_glob_wildcards, multiext=_multiext, **flags, **kinds)
    module("snakemake.iocontainers", snakemake=snakemake, **kinds)
    module("snakemake.utils", **utils)
    module("snakemake.logging", logger=logger)
    module("snakemake.exceptions", WorkflowError=error, WildcardError=type("WildcardError", (error,), {}))
    _sys.modules["snakemake"].shell = shell  # not the module
    _sys.meta_path.append(_Absent)


def _search(folders):
    """Imports of the script, and of the classes of its values, look there, too."""
    _sys.path.extend(dict.fromkeys(folders))


def _has_snakemake():
    import importlib.util

    return "snakemake" in _sys.modules or importlib.util.find_spec("snakemake") is not None


def _place(names, path=None):
    """Makes what scripts see known in their names; this text keeps its own, where `format` is always Python's."""
    names.update((name, kept) for name, kept in globals().items() if name[0] != "_")
    if path:
        names["__real_file__"], names["__file__"] = names.get("__file__"), path


def _share(path):
    """The same for other languages, which run this text for their own names."""
    _place(_script_names, path)


def _share_cell(path):
    """The same for notebooks, whose cells have no file."""
    _place(_script_names)


def _show(kind, error, trace):
    """An exception that nothing caught, without the frames of this text."""
    while trace and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    _sys.__excepthook__(kind, error.with_traceback(trace), trace)


def _start(path):
    """Runs the script, in a main module of its own."""
    _sys.excepthook = _show
    main = type(_sys)("__main__")
    main.__file__ = __file__
    main.__preamble__ = _sys.modules["__main__"]
    _sys.modules["__main__"] = main
    _place(main.__dict__, path)
    with open(path, "rb") as source:
        code = compile(source.read(), path, "exec")
    exec(code, main.__dict__)


shell = _Shell()
logger = _Logger()
