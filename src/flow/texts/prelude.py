# SPDX-License-Identifier: MIT
# Helpers of Snakefiles that are plain functions. This file is run by the engine's own evaluator when one of them is
# used for the first time. Known here besides the builtins: _names(text), the set of wildcards in a text, and
# _wildcards(text), a list of (start, end, name, constraint or None).


def _result(value, wildcards):
    if callable(value):
        value = value(wildcards)
    return value or []


def branch(condition, then=None, otherwise=None, cases=None):
    if cases is not None and then is not None:
        raise ValueError("Cannot use 'cases' together with 'then' in 'branch' function.")

    def choose(wildcards):
        found = _result(condition, wildcards)
        if cases is None:
            return _result(then if found else otherwise, wildcards)
        if found in cases:
            return _result(cases[found], wildcards)
        if otherwise is not None:
            return _result(otherwise, wildcards)
        raise KeyError(f"Key {found} not found in given cases of branch function")

    if callable(condition) or callable(then) or callable(otherwise):
        return choose
    return choose(None)


def subpath(path_or_func, strip_suffix=None, with_suffix=None, basename=False, parent=False, ancestor=None):
    if basename and (parent or ancestor is not None):
        raise ValueError("basename cannot be used together with parent or ancestor")
    if parent and ancestor is not None:
        raise ValueError("parent cannot be used together with ancestor")
    if ancestor is not None and ancestor < 1:
        raise ValueError("ancestor must be greater than 0")

    def cut(path):
        if isinstance(path, Path):
            path = str(path)
        if not isinstance(path, str):
            raise ValueError(
                "Value passed to subpath must be a single string or pathlib.Path (or a function returning those). "
                f"Obtained value: {path!r}"
            )
        if strip_suffix is not None:
            if not path.endswith(strip_suffix):
                raise ValueError(f"Path {path} does not end with the specified suffix {strip_suffix}")
            path = path[: len(path) - len(strip_suffix)]
        if with_suffix is not None:
            path = path + with_suffix
        if basename:
            return os.path.basename(path)
        for _ in range(1 if parent else ancestor or 0):
            path = os.path.dirname(path) or "."
        return path

    if callable(path_or_func):
        return _like(path_or_func, cut)
    return cut(path_or_func)


class _Lookup:
    """What a lookup is made of; resolve() does it once the wildcards are known."""

    def __init__(self, find, expression, cols, namespace):
        self.find = find
        self.expression = expression
        self.cols = cols
        self.namespace = namespace

    def texts(self):
        if self.cols is None:
            return [self.expression]
        return [self.expression] + (self.cols if isinstance(self.cols, list) else [self.cols])

    def needs_wildcards(self):
        for text in self.texts():
            if callable(text):
                return True
            for name in _names(text):
                if name not in self.namespace:
                    return True
        return any(callable(value) for value in self.namespace.values())

    def resolve(self, wildcards):
        names = {} if wildcards is None else {"wildcards": wildcards, **dict(wildcards.items())}
        for name, value in self.namespace.items():
            names[name] = value(wildcards) if callable(value) else value

        def fill(text):
            if callable(text):
                text = text(wildcards)
            return text.format(**names) if names else text

        cols = self.cols
        if isinstance(cols, list):
            cols = [fill(col) for col in cols]
        elif cols is not None:
            cols = fill(cols)
        return self.find(fill(self.expression), cols)


def _steps(node):
    if isinstance(node, dict):
        return [(str(key), item) for key, item in node.items()]
    if isinstance(node, (list, tuple)):
        return [(str(i), item) for i, item in enumerate(node)]
    return []


def _is_last(node, segment):
    """Whether it counts from a list's end: -1."""
    return isinstance(node, (list, tuple)) and segment[:1] == "-" and segment[1:].isdigit() and 0 < int(segment[1:]) <= len(node)


def _walk(node, segments):
    if not segments:
        return [node]
    first, rest = segments[0], segments[1:]
    found = []
    if _is_last(node, first):
        return _walk(node[int(first)], rest)
    if first == "**":
        found.extend(_walk(node, rest))
    for key, item in _steps(node):
        if first == "**":
            found.extend(_walk(item, segments))
        elif key == first or _globs(key, first):
            found.extend(_walk(item, rest))
    return found


def _globs(name, pattern):
    import fnmatch

    return any(c in pattern for c in "*?[") and fnmatch.fnmatchcase(name, pattern)


_missing = object()


def lookup(query=None, dpath=None, cols=None, is_nrows=None, within=None, default=_missing, **namespace):
    if within is None:
        raise LookupError("Must provide a dataframe, series, or mapping to search within.")
    if query is not None and dpath is not None:
        raise LookupError("Cannot provide both query and dpath arguments.")
    if query is None and dpath is None:
        raise LookupError("Must provide either a query or dpath parameter.")
    if cols is not None and not isinstance(cols, (str, list)):
        raise LookupError("The cols argument has to be either a str or a list of str.")
    series = hasattr(within, "to_frame") and not hasattr(within, "columns")
    within = within.to_frame() if series else within
    mapping = isinstance(within, dict) or not hasattr(within, "query") and hasattr(within, "keys")
    if query is not None and mapping:
        dpath, query = query, None
    if dpath is not None and not mapping:
        raise LookupError("Dpath parameter can only be used with python mapping (e.g. dict).")

    def find_path(path, cols):
        found = _walk(within, path.lstrip("/").split("/") if path.strip("/") else [])
        if len(found) == 1:
            return found[0]
        if found:
            return found
        if default is not _missing:
            return default
        raise LookupError(f"Error in lookup function with dpath: {path!r}. Dpath not found.")

    def find_rows(text, cols):
        try:
            rows = within.query(text)
        except Exception as error:
            raise LookupError(f"Error in lookup function with query: {text!r}. {error}")
        if is_nrows is not None:
            return is_nrows == len(rows)
        if len(rows) == 0 and default is not _missing:
            return default
        if cols is not None and not isinstance(cols, list):
            return rows[cols].to_list()
        if cols is not None:
            rows = rows[cols]
        rows = list(rows.itertuples(index=cols is None))
        return rows[0] if len(rows) == 1 else rows

    find, wanted = (find_path, dpath) if dpath is not None else (find_rows, query)
    plan = _Lookup(find, wanted, cols, namespace)
    if not plan.needs_wildcards():
        return plan.resolve(None)

    def later(wildcards):
        return plan.resolve(wildcards)

    return later


def parse_input(infile, parser=None, **kwargs):
    def parse(wildcards, input):
        path = infile(wildcards, input) if callable(infile) else infile
        with open(path) as file:
            return file.read().strip() if parser is None else parser(file, **kwargs)

    return parse


def extract_checksum(infile, file=None):
    def plain(name):
        return name[2:] if name.startswith("./") else name

    lines = open(infile).readlines() if isinstance(infile, (str, Path)) else infile.readlines()
    for line in lines:
        parts = line.rstrip("\n").split("  ", 1)
        if len(parts) == 2 and plain(parts[1]) == plain(file):
            return parts[0]
    raise WorkflowError(f"No checksum of {file} found.")


def flatten(list_of_lists):
    flat = []
    for item in list_of_lists:
        if isinstance(item, list):
            flat.extend(flatten(item))
        else:
            flat.append(str(item))
    return flat


def _item_names(item):
    """The value that a bare `input`, `output`, ... stands for, as a function; any other function as it is."""
    return _whole(item) if _is_bare(item) else item


def prepend_param(prefix, paths_or_func, space=True):
    def join(paths):
        words = []
        for path in paths if isinstance(paths, list) else [paths]:
            if not isinstance(path, (str, Path)):
                raise ValueError(
                    "Values passed to prepend must be a single string or pathlib.Path (or a function returning those). "
                    f"Obtained value: {path!r}"
                )
            words.append(f"{prefix}{' ' if space else ''}{path}")
        return " ".join(words)

    func = _item_names(paths_or_func)
    return _like(func, join) if callable(func) else join(func)


def as_py_module(path_or_func=None):
    def name(path):
        if isinstance(path, list):
            (path,) = path
        parts = str(path).split("/")
        if not parts[-1].endswith(".py"):
            raise ValueError("Only .py files may be run as Python modules.")
        parts[-1] = parts[-1][:-3]
        if not all(part.isidentifier() for part in parts):
            raise ValueError(f"{path} does not translate to a valid Python name")
        return ".".join(parts)

    func = input.script if path_or_func is None else _item_names(path_or_func)
    return _like(func, name) if callable(func) else name(func)


def limit(pattern, **wildcards):
    return pattern.format(**{name: "{" + name + "," + "|".join(values) + "}" for name, values in wildcards.items()})


def apply_wildcards(pattern, wildcards):
    for name in _names(pattern):
        if name not in wildcards.keys():
            raise WildcardError(repr(name))
    return _fill(pattern, dict(wildcards.items()))


def contains_wildcard(path):
    return bool(_names(str(path)))


def contains_wildcard_constraints(pattern):
    return any(constraint for _, _, _, constraint in _wildcards(pattern))


def get_wildcard_constraints(pattern):
    return {name: re.compile(constraint) for _, _, name, constraint in _wildcards(pattern) if constraint}


def regex_from_filepattern(filepattern):
    parts, last, seen = [], 0, set()
    for start, end, name, constraint in _wildcards(filepattern):
        parts.append(re.escape(filepattern[last:start]))
        if name in seen:
            if constraint:
                raise ValueError("the constraint of a wildcard belongs to its first occurrence: " + repr(filepattern))
            parts.append(f"(?P={name})")
        else:
            parts.append(f"(?P<{name}>{constraint or '.+'})")
        seen.add(name)
        last = end
    return "".join(parts) + re.escape(filepattern[last:]) + "$"


def update_config(config, overwrite_config):
    for key, value in overwrite_config.items():
        if isinstance(value, dict):
            inner = config.setdefault(key, {})
            if value and not isinstance(inner, dict):
                inner = config[key] = {}
            update_config(inner, value)
        else:
            config[key] = value


def available_cpu_count():
    return os.cpu_count() or 1


def simplify_path(path):
    return os.path.relpath(path)


def linecount(filename):
    with open(filename) as lines:
        return sum(1 for _ in lines)


def listfiles(pattern, restriction=None, omit_value=None):
    from snakemake.io import Namedlist

    found = glob_wildcards(pattern)
    for values in zip(*found):
        wildcards = dict(zip(found._fields, values))
        if restriction is None or all(wildcards.get(k) in v for k, v in restriction.items()):
            yield _fill(pattern, wildcards), Namedlist(fromdict=wildcards)


def makedirs(dirnames):
    for dirname in [dirnames] if isinstance(dirnames, str) else dirnames:
        os.makedirs(dirname, exist_ok=True)


def R(code):
    try:
        from rpy2 import robjects
    except ImportError:
        raise ValueError("R() needs the Python package rpy2; a rule with script: runs R without it.") from None
    import textwrap

    robjects.r(textwrap.dedent(code))


def report(*args, **kwargs):
    raise NotImplementedError("report() of snakemake.utils is not there: flag results with report(), or use script:")


def read_job_properties(jobscript, prefix="# properties", pattern=None):
    import json

    found = re.compile(pattern or prefix + " = (.*)")
    with open(jobscript) as lines:
        for match in map(found.match, lines):
            if match:
                return json.loads(match.group(1))


def _is_missing(value):
    if value is None or isinstance(value, float):
        return value is None or value != value
    if isinstance(value, (str, int, list, dict)):
        return False
    import pandas

    return pandas.isna(value) is True


def _validate_table(table, check, schema, directory, set_default):
    """Each row of a table of pandas or polars against a schema; with defaults, empty cells are filled."""
    pandas_like = hasattr(table, "iloc")
    if pandas_like:
        rows = table.to_dict("records")
    elif hasattr(table, "to_dicts"):
        rows = table.to_dicts()
    elif hasattr(table, "collect"):  # a lazy table: its beginning
        rows = table.head(1000).collect().to_dicts()
        if set_default:
            logger.warning("The cells of a lazy table cannot be set: defaults of the schema are left out.")
        set_default = False
    else:
        return
    records = [{name: value for name, value in row.items() if not _is_missing(value)} for row in rows]
    for i, record in enumerate(records):
        check(record, i, schema, directory, set_default)
    if not set_default:
        return
    columns = list(table.columns)
    for name in {name: None for record in records for name in record}:
        cells = [record.get(name) for record in records]
        if name in columns:
            changed = [i for i, row in enumerate(rows) if name in records[i] and _is_missing(row[name])]
            if pandas_like and changed:
                table[name] = cells
            for i in [] if pandas_like else changed:
                table[i, name] = cells[i]
        elif pandas_like:
            table[name] = cells
        else:
            import polars

            table.insert_column(len(table.columns), polars.Series(name, cells))


class Paramspace:
    """A table of parameters whose rows are folders or file names: column~value/column~value."""

    def __init__(self, dataframe, filename_params=None, param_sep="~", filename_sep="_", single_wildcard=None):
        self.param_sep = param_sep
        self.filename_sep = filename_sep
        self.single_wildcard = single_wildcard
        columns = list(dataframe.columns)
        all_in_name = isinstance(filename_params, str) and filename_params == "*"
        in_name = columns if all_in_name else list(filename_params or [])
        for param in in_name:
            if param not in columns:
                raise KeyError(f"{param} of filename_params is no column of the table")
        if len(set(in_name)) != len(in_name):
            raise ValueError("filename_params must be unique")
        self.folder_columns = [column for column in columns if column not in in_name]
        self.filename_columns = in_name
        self.ordered_columns = self.folder_columns + in_name
        self.dataframe = dataframe[self.ordered_columns]
        self.pattern = self._join("{}" for _ in self.ordered_columns)

    def _join(self, items):
        items = list(items)
        folders = items[: len(self.folder_columns)]
        name = self.filename_sep.join(items[len(folders):])
        return "/".join(folders + [name] if self.filename_columns else folders)

    def _named(self, values):
        return self._join(f"{name}{self.param_sep}{value}" for name, value in zip(self.ordered_columns, values))

    @property
    def wildcard_pattern(self):
        if self.single_wildcard:
            return "{" + self.single_wildcard + "}"
        return self._named("{" + str(name) + "}" for name in self.ordered_columns)

    @property
    def instance_patterns(self):
        import pandas

        for row in self.dataframe.itertuples(index=False, name=None):
            yield self._named("NA" if pandas.isna(value) else value for value in row)

    def _convert(self, name, value):
        import pandas

        kind = self.dataframe.dtypes[name]
        if value == "NA":
            return pandas.NA
        if value == "False" and kind == bool:
            return False
        return pandas.Series([value]).astype(kind)[0]

    def instance(self, wildcards):
        if not self.single_wildcard:
            known = ((name, value) for name, value in wildcards.items() if name in self.ordered_columns)
            return {name: self._convert(name, value) for name, value in known}
        text = wildcards.get(self.single_wildcard)
        if text is None:
            raise WorkflowError(f"The rule has no wildcard {self.single_wildcard}, which its parameter space needs.")
        pattern = self._join(
            f"{re.escape(f'{name}{self.param_sep}')}(?P<c{i}>.+)" for i, name in enumerate(self.ordered_columns)
        )
        found = re.fullmatch(pattern, text)
        if not found:
            space = self._named("*" * 99)
            raise WorkflowError(f"{self.single_wildcard}={text} is no instance of the parameter space {space}.")
        return {name: self._convert(name, found[f"c{i}"]) for i, name in enumerate(self.ordered_columns)}

    def _wrap(self, found):
        import pandas

        return Paramspace(found) if isinstance(found, pandas.DataFrame) else found

    def __getattr__(self, name):
        return self._wrap(getattr(self.dataframe, name))

    def __getitem__(self, key):
        return self._wrap(self.dataframe[key])


def toposort(graph):
    """Sets of names, each of which needs only names of the sets before it."""
    from graphlib import TopologicalSorter

    sorter = TopologicalSorter(graph)
    sorter.prepare()
    levels = []
    while sorter.is_active():
        level = set(sorter.get_ready())
        sorter.done(*level)
        levels.append(level)
    return levels


def _has_mode(path, read, write, execute):
    wanted = ((os.R_OK, read), (os.W_OK, write), (os.X_OK, execute))
    return all(os.access(path, mode) for mode, value in wanted if value is not None)


def _can_make(path):
    for parent in path.parents:
        if parent.is_dir() and _has_mode(parent, True, True, True):
            return True
    return False


def _choose(paths, read, write, execute, creatable, is_dir):
    for path in paths:
        path = Path(path).expanduser()
        if _has_mode(path, read, write, execute) and path.is_dir() == is_dir:
            return path
        if creatable and _can_make(path):
            return path
    return None


def choose_file(file_list, read=True, write=True, execute=None, creatable=None):
    return _choose(file_list, read, write, execute, creatable, False)


def choose_folder(folder_list, read=True, write=True, open=True, creatable=None):
    return _choose(folder_list, read, write, open, creatable, True)


def choose_tmp(tmp_list, read=True, write=True, open=True, creatable=True):
    found = _choose(tmp_list, read, write, open, creatable, True)
    return "system_tmpdir" if found is None else found


def cache_text(params, names):
    """What Snakemake hashes of params (names: None where there is none) for the name of a cached result."""
    import json

    items = sorted(zip(names, params)) if None not in names else sorted(
        zip(names, params), key=lambda item: (item[0] or "", str(item[1]))
    )
    try:
        return "".join((name or "") + json.dumps(item, sort_keys=True) for name, item in items)
    except TypeError as error:
        raise WorkflowError(f"params are not JSON serializable, so that the result cannot be cached: {error}")


class _QueueInput:
    """An input function that gives what a queue has yielded so far."""

    def __init__(self, queue, finish_sentinel):
        self.queue = queue
        self.finish_sentinel = finish_sentinel
        self.finished = False
        self.items = []

    def __call__(self, wildcards):
        from queue import Empty

        if wildcards:
            raise WorkflowError("from_queue() may not be used in rules with wildcards.")
        while not self.finished:
            try:
                item = self.queue.get_nowait()
            except Empty:
                break
            self.queue.task_done()
            if item is self.finish_sentinel:
                self.finished = True
            else:
                self.items.append(item)
        return list(self.items)


def from_queue(queue, finish_sentinel=None):
    if finish_sentinel is None:
        raise WorkflowError("Please provide a finish sentinel to from_queue.")
    queue_input = _QueueInput(queue, finish_sentinel)
    return flag(queue_input, "from_queue", queue_input)


def _render_yte(input, output, params, wildcards, config):
    """The body of a rule with template_engine: "yte"."""
    import yte

    if len(output) != 1:
        raise ValueError("More than one output file specified for template_engine rule.")
    if len(input) != 1 and "template" not in input.keys():
        raise ValueError("A template_engine rule with several input files needs one named 'template'.")
    template = input[0] if len(input) == 1 else input.template
    names = {"params": params, "wildcards": wildcards, "config": config, "input": input}
    with open(template) as source, open(output[0], "w") as out:
        yte.process_yaml(source, outfile=out, variables=names)
