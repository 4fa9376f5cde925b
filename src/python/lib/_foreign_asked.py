# SPDX-License-Identifier: MIT
# What can be asked of the other side: the second half of _foreign.py, with which it is read as one text.

# ---- exceptions ----


OWN = ("<kintsugi-flow>", import_module.__code__.co_filename)


def frames(error):
    """(file, line, function, source line) from the outermost call to the innermost one, without this file's."""
    import linecache

    found = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename not in OWN and not code.co_filename.startswith("<frozen importlib"):
            line = linecache.getline(code.co_filename, trace.tb_lineno).strip()
            found.append((code.co_filename, trace.tb_lineno, code.co_name, line))
        trace = trace.tb_next
    return found


def text_of(error):
    try:
        return str(error)
    except Exception:
        return ""


def describe(error):
    """struct description of the other side."""
    kind = type(error)
    base = next(name for name in (SHARED.get(id(c)) for c in kind.__mro__) if name)
    number = getattr(error, "_snakefile_error", None)
    args = error.args
    if isinstance(error, OSError) and error.filename is not None and len(args) == 2:
        args += (error.filename,)
    shared = SHARED.get(id(kind)) is not None
    exact = shared and (kind is StopIteration or is_plain(args, set()))  # which brings a result
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return (
        number if number is not None else None if exact else error,
        base,
        args if exact or number else (),
        text_of(error),
        frames(error),
        "" if cause is None else f"{type(cause).__name__}: {text_of(cause)}",
        kind.__name__,
        "" if exact else kind.__module__,
        None if shared or number is not None else kind,
        {"name": error.name, "path": error.path} if exact and isinstance(error, ImportError) else None,
    )


exception_classes = {}


def exception_of(original, base, name, args):
    """The exception that code of the Snakefile has raised."""
    if isinstance(original, BaseException):
        return original
    kind = getattr(builtins, base)
    if name != base:
        made = exception_classes.get((name, kind))
        kind = made or exception_classes.setdefault((name, kind), type(name, (kind,), {"__module__": "Snakefile"}))
    try:
        error = kind(*args)
    except Exception:
        error = RuntimeError(*args)
    error._snakefile_error = original
    return error


# ---- iterating ----

ASKING_ITERATORS = ("iterator", "callable_iterator")
ROOTS = frozenset(("numpy", "pandas", "polars", "pyarrow"))


def root(x):
    return type(x).__module__.partition(".")[0]


def is_quiet(it):
    """Whether its items can be taken ahead: nobody could tell."""
    kind = type(it)
    if root(it) in ROOTS or kind.__module__ == "builtins" and kind.__name__.endswith("iterator"):
        name = kind.__name__
        return name not in ASKING_ITERATORS or name == "iterator" and root(it.__reduce__()[1][0]) in ROOTS
    if kind is zip or kind is enumerate or kind is reversed:
        return all(map(is_quiet, it.__reduce__()[1][: None if kind is zip else 1]))
    if kind is map:
        function, *sources = it.__reduce__()[1]
        own = getattr(function, "__self__", None)
        quiet = type(own) is type and function.__name__ == "_make" or root(own) in ROOTS or type(function) is type
        return quiet and all(map(is_quiet, sources))
    return False


def more(it):
    """(some next items, whether these were the last)"""
    try:
        quiet = is_quiet(it)
    except Exception:
        quiet = False
    if not quiet:
        try:
            return [next(it)], False
        except StopIteration:
            return [], True
    items = []
    end = time.perf_counter() + BATCH_S
    for item in it:
        items.append(item)
        if len(items) >= BATCH or time.perf_counter() > end:
            return items, False
    return items, True


def begin(x):
    """(iterator or None, its first items, whether these were all)"""
    it = iter(x)
    items, done = more(it) if it is not x else ([], False)
    return None if done else it, items, done


def push_back(it, items):
    """Items that were taken ahead come first again."""
    n = numbers.pop(id(it))
    objects[n] = itertools.chain(items, it)
    numbers[id(objects[n])] = n


# ---- what can be asked for ----


IMPORTED = {  # parts that Snakemake's own process has, so that Snakefiles find them unasked
    "concurrent": ["futures"],
    "email": ["encoders", "header", "message", "parser", "utils"],
    "html": ["entities", "parser"],
    "http": ["client"],
}


def load(name, paths, text):
    sys.path[:0] = [path for path in paths if path not in sys.path]
    if text is not None and name not in sys.modules:
        module = sys.modules[name] = type(sys)(name)
        exec(compile(text, f"<{name}>", "exec"), vars(module))
    for part in IMPORTED.get(name, ()):
        import_module(f"{name}.{part}")
    return import_module(name)


class Variables(dict):
    """Those of the code in the Snakefile that makes a call, for what looks for them in the frame that called it:
    DataFrame.query("sample == @sample"). They can be asked for until the call ends."""

    def __init__(self, calls, *own):
        super().__init__(*own)
        self.calls = calls

    def __missing__(self, name):
        found = self.calls and ask(NAT_NAME, None, name)
        if not found:
            raise KeyError(name)
        return found[0]

    def __contains__(self, name):
        try:
            self[name]
        except KeyError:
            return False
        return True

    def get(self, name, default=None):
        return self[name] if name in self else default

    def copy(self):
        return Variables(self.calls, self)


CALL = compile("call()", OWN[1], "eval").replace(co_names=("the call",))


def call(x, args, kwargs):
    calls = [x]
    try:
        return eval(CALL, globals(), Variables(calls, {"the call": partial(x, *args, **kwargs)}))
    finally:
        calls.clear()


def call_method(x, name, args, kwargs):
    return call(getattr(x, name), args, kwargs)


def hash_value(x):
    """What the other side hashes: a value equal to x where there is one, else a number."""
    number = hash(x)
    if isinstance(x, str):
        return str.__str__(x)
    if isinstance(x, int):
        return int(x)
    if isinstance(x, float):
        return float(x)
    if hasattr(x, "item") and hasattr(x, "dtype"):
        return x.item() if type(x.item()) in SCALARS else number
    if isinstance(x, tuple):
        return tuple(x)
    return number


def environment(now, directory):
    for name in [name for name in os.environ if name not in now]:
        del os.environ[name]
    for name, value in now.items():
        if os.environ.get(name) != value:
            os.environ[name] = value
    os.chdir(directory)
    del notes[:]


def exception_base(kind):
    """(builtin class, name, module) of a class of exceptions; None for any other object."""
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        return None
    base = next(name for name in (SHARED.get(id(c)) for c in kind.__mro__) if name)
    return base, kind.__name__, kind.__module__


def pickled(x):
    import pickle

    return pickle.dumps(x)


BINARY = [getattr(operator, name if name not in ("and", "or") else name + "_") for name in ARITHMETIC]
INPLACE = [getattr(operator, "i" + name) for name in ARITHMETIC]
COMPARE = [getattr(operator, name) for name in COMPARISONS]
UNARY = [operator.neg, operator.pos, operator.invert]
OPERATIONS = [  # in the order of enum foreign_op in foreign.h
    load,
    getattr,
    setattr,
    delattr,
    call,
    call_method,
    operator.getitem,
    operator.setitem,
    operator.delitem,
    len,
    bool,
    hash_value,
    repr,
    str,
    format,
    lambda op, a, b: BINARY[op](a, b),
    lambda op, a, b: INPLACE[op](a, b),
    lambda op, a, b: COMPARE[op](a, b),
    lambda x, op: UNARY[op](x),
    operator.contains,
    begin,
    more,
    push_back,
    isinstance,
    issubclass,
    dir,
    type,
    describe,
    environment,
    pickled,
    exception_base,
    bytes,
    lambda x: memoryview(x).tobytes(),
]
LENDING = [i for i, operation in enumerate(OPERATIONS) if operation in (getattr, operator.getitem)]


def forked():
    global stray
    stray = True
    os.close(wire)


def interrupted(signum, frame):
    """Ctrl-C reaches both processes; here it ends what is being worked on, never the waiting."""
    if working:
        raise KeyboardInterrupt


def noting(function, name):
    """putenv() and its like, told to the other side."""

    def noted(*args):
        function(*args)
        notes.append((name, os.getcwd()) if name == "cwd" else (name, *map(os.fsdecode, args)))

    return noted


class WholePackage:
    """Finds the package snakemake. In Snakemake's own process all parts of it are there without being imported."""

    def find_spec(self, name, path=None, target=None):
        if name != "snakemake":
            return None
        sys.meta_path.remove(self)
        spec = import_module("importlib.util").find_spec(name)
        run = spec and spec.loader and spec.loader.exec_module

        def exec_module(module):
            run(module)
            module.__getattr__ = part_of_snakemake

        if run:
            spec.loader.exec_module = exec_module
        return spec


def part_of_snakemake(name):
    try:
        return import_module("snakemake." + name)
    except ModuleNotFoundError:
        raise AttributeError(f"module 'snakemake' has no attribute '{name}'") from None


def main(descriptor):
    global wire
    wire = descriptor
    sys.argv[:3] = ["kintsugi-flow"]
    sys.setrecursionlimit(5000)  # calls back and forth need some frames each; the other side stops them first
    os.set_inheritable(wire, False)
    os.register_at_fork(after_in_child=forked)
    signal.signal(signal.SIGINT, interrupted)
    sys.meta_path.insert(0, WholePackage())
    os.putenv, os.unsetenv, os.chdir = noting(os.putenv, "set"), noting(os.unsetenv, "unset"), noting(os.chdir, "cwd")
    talking.acquire()
    try:
        serve()
    except OSError:
        leave()
