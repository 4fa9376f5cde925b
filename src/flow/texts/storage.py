# SPDX-License-Identifier: MIT
"""Snakemake's storage plugins, as storage_plugin.c asks them. This is run by the python3 child and imports nothing of
Snakemake itself: the plugin does that. What can fail here says so in one line; it raises nothing but interrupts.
A porter (flow/porter.h) is a python3 of its own that opens the same storage again and runs serve()."""
import asyncio
import base64
import importlib
import logging
import os
import pickle
import pkgutil
import shutil
import stat
import sys
import traceback
import types
import typing
from collections import Counter
from dataclasses import fields
from pathlib import Path

MODULES, PACKAGES = "snakemake_storage_plugin_", "snakemake-storage-plugin-"
BUILT_IN = ("fs", "http")
LISTED_FROM = 8  # so many files of one directory are looked up in a list of it, if the plugin makes one
WORDS = {"false": False, "no": False, "off": False, "0": False, "true": True, "yes": True, "on": True, "1": True}

verbose = False
loop = asyncio.new_event_loop()  # one for all: rate limits belong to it


class Wrong(Exception):
    """What is wrong, and what helps."""

    def __init__(self, what, helps=None):
        super().__init__(what)
        self.helps = helps


def told(error):
    """An exception in one line."""
    text = " ".join(str(error).split())
    if type(error).__name__ not in ("WorkflowError", "Wrong"):
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    last = getattr(error, "last_attempt", None)  # of who has tried again and again
    last = last.exception() if last is not None else None
    return text if last is None else told(last)


def failed(error):
    """The same; --verbose: the whole story goes to stderr."""
    if verbose:
        traceback.print_exception(type(error), error, error.__traceback__)
    return told(error)


# ---- settings ----


def option_of(name, field):
    return f"--storage-{name}-{field.name}".replace("_", "-")


def variable_of(name, field):
    return f"SNAKEMAKE_STORAGE_{name}_{field.name}".upper().replace("-", "_")


def type_of(cls, field):
    """What makes a value of the text of a setting."""
    kind = field.metadata.get("type")
    if kind is None:
        try:
            kind = typing.get_type_hints(cls)[field.name]
        except Exception:
            kind = field.type
    parts = [part for part in typing.get_args(kind) if part is not type(None)]
    if typing.get_origin(kind) in (typing.Union, getattr(types, "UnionType", None)) and len(parts) == 1:
        kind = parts[0]
    return kind if isinstance(kind, type) else str


def read_setting(name, cls, field, words):
    kind, parse = type_of(cls, field), field.metadata.get("parse_func")
    if words is None and kind is not bool:
        raise Wrong(f"{option_of(name, field)} needs a value")
    try:
        if kind is bool and not parse:
            return WORDS[words.lower()] if words else True
        value = parse(words) if parse else kind(words)
    except Exception as error:
        shown = "" if isinstance(error, (KeyError, ValueError, TypeError)) else f" ({type(error).__name__})"
        form = "true or false" if kind is bool else f"a value of type {kind.__name__}" if not parse else "another value"
        raise Wrong(f"{option_of(name, field)} needs {form}{shown}") from None
    choices = field.metadata.get("choices")
    if choices and value not in choices:
        raise Wrong(f"{option_of(name, field)} is one of {', '.join(map(str, choices))}")
    return Path(os.path.expandvars(value.expanduser())) if isinstance(value, Path) else value


def word_for(words, tag):
    """The last one with the tag, else the last one without."""
    found = {None if "::" not in word else word.split("::", 1)[0]: word.split("::", 1)[-1] for word in words}
    return found.get(tag, found.get(None))


def settings_of(name, cls, tag, words, given, strict):
    """words: what the command line has, by the end of its option; given: what the Snakefile sets."""
    known = {field.name: field for field in fields(cls)} if cls else {}
    has = f"{name} has {', '.join(known)}" if known else f"{name} has none"
    for end in words:
        if end.replace("-", "_") not in known:
            raise Wrong(f"unknown option --storage-{name}-{end}", f"settings: {has}")
    for key in given:
        if key not in known and key not in ("retrieve", "keep_local"):
            raise Wrong(f"the storage provider {name} has no setting '{key}'", f"settings: {has}")
    if not cls:
        return None
    values = {}
    for key, field in known.items():
        texts = words.get(key.replace("_", "-"))
        variable = os.environ.get(variable_of(name, field)) if field.metadata.get("env_var") else None
        text = word_for([variable] if texts is None and variable else texts or (), tag)
        if text is not None or texts == []:
            values[key] = read_setting(name, cls, field, text)
    settings = cls(**values)
    settings.__dict__.update((key, value) for key, value in given.items() if key in known)
    missing = [f for f in known.values() if strict and f.metadata.get("required") and getattr(settings, f.name) is None]
    if missing:
        ways = "; ".join(
            f"{option_of(name, f)}, {f.name}=" + f", ${variable_of(name, f)}" * bool(f.metadata.get("env_var"))
            for f in missing
        )
        raise Wrong(f"the storage provider {name} needs {', '.join(f.name for f in missing)}", ways)
    return settings


# ---- plugins ----


def module_of(name):
    full, helps = MODULES + name.replace("-", "_"), f"pip install {PACKAGES}{name}"
    try:
        return importlib.import_module(full)
    except ModuleNotFoundError as error:
        if error.name == full:
            raise Wrong(f"there is no storage provider '{name}' here", helps) from None
        raise Wrong(f"the storage plugin {name} lacks a package: {told(error)}", helps) from None
    except Exception as error:
        raise Wrong(f"the storage plugin {name} cannot be imported: {failed(error)}") from None


def providers_for(query):
    """The names of the plugins that know such a query."""
    found = []
    for info in pkgutil.iter_modules():
        name = info.name.removeprefix(MODULES).replace("_", "-")
        if not info.ispkg or not info.name.startswith(MODULES) or name in BUILT_IN:
            continue
        try:
            if module_of(name).StorageProvider.is_valid_query(query):
                found.append(name)
        except Exception as error:
            failed(error)
    return found


class Inventory:
    """What a plugin notes of files that it comes by."""

    def __init__(self):
        self.exists_local, self.exists_in_storage, self.mtime, self.size, self.checksum = {}, {}, {}, {}, {}


class Storage:
    """A provider with its settings. Files are asked for by their queries, some at a time."""

    def __init__(self, name, module, prefix, settings, keep, retrieve, is_default):
        self.name = name
        self.kind = module.StorageObject
        self.used = {}  # query -> object that has made a copy
        self.provider = module.StorageProvider(
            local_prefix=Path(prefix),
            logger=logging.getLogger(module.__name__),
            settings=settings,
            keep_local=keep,
            retrieve=retrieve,
            is_default=is_default,
        )

    def can(self, what):
        return any(base.__name__ == f"StorageObject{what}" for base in self.kind.__mro__)

    def place(self, query):
        """(query, local path, query as it may be shown, None), or (None, None, None, what is wrong)"""
        try:
            valid = self.provider.is_valid_query(query)
            if not valid:
                return None, None, None, f"'{self.provider.safe_print(query)}': {valid.reason or 'no query of its'}"
            one = self.provider.object(query)
            return one.query, str(one.local_path()), str(one.print_query), None
        except Exception as error:
            return None, None, None, failed(error)

    def object(self, query):
        """A new one, as some keep what they have seen; the query is as place() has given it."""
        provider = self.provider
        return self.kind(
            query=query, keep_local=provider.keep_local, retrieve=provider.retrieve, provider=provider
        )

    def run(self, work, items):
        """What came of work(item) for each: an exception in the place of a result."""
        async def all_of_them():
            return await asyncio.gather(*(work(item) for item in items), return_exceptions=True)

        results = loop.run_until_complete(all_of_them())
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, Exception):
                raise result
        return results

    def errors(self, results):
        """None, or what is wrong with the first of those that failed."""
        wrong = [failed(result) for result in results if isinstance(result, Exception)]
        return None if not wrong else wrong[0] if len(wrong) == 1 else f"{wrong[0]} (and {len(wrong) - 1} more)"

    async def list_directories(self, objects):
        """What was noted of the files, where a directory holds enough of them to be worth a list."""
        noted = Inventory()
        directories = [os.path.dirname(one.local_path()) for one in objects]
        first = dict(zip(reversed(directories), reversed(objects)))
        for directory, n in Counter(directories).items():
            inventory = Inventory()  # of its own: plugins list no second directory for one
            try:
                if n >= LISTED_FROM:
                    await first[directory].inventory(inventory)
            except Exception as error:
                failed(error)  # perhaps no lists are allowed
            for kind, items in vars(inventory).items():
                getattr(noted, kind).update(items)
        return noted

    async def look_at(self, one, noted):
        key = one.cache_key()
        if not noted.exists_in_storage.get(key) and not await one.managed_exists():
            return -1, 0
        mtime = noted.mtime[key].storage() if key in noted.mtime else None
        mtime = await one.managed_mtime() if mtime is None else mtime
        return max(0, int(mtime * 1e9)), noted.size.get(key) or 0

    def look(self, queries):
        """(mtime in ns or -1, size or 0, None) of each, or (-1, 0, what is wrong)"""
        try:
            objects = [self.object(query) for query in queries]
            noted = loop.run_until_complete(self.list_directories(objects))
        except Exception as error:
            return [(-1, 0, failed(error))] * len(queries)
        results = self.run(lambda one: self.look_at(one, noted), objects)
        return [(-1, 0, failed(r)) if isinstance(r, Exception) else (*r, None) for r in results]

    def size(self, query):
        """(bytes, None), (-1, None) where nothing is, or (-1, what is wrong)"""
        async def size_of(one):
            return await one.managed_size() if await one.managed_exists() else -1

        (result,) = self.run(size_of, [self.object(query)])
        return (-1, failed(result)) if isinstance(result, Exception) else (int(result), None)

    def fetch(self, wanted):
        """(query, whether a link serves, the path that it is to have): what is wrong, or None"""
        async def fetch_one(item):
            query, is_link, path = item
            one = self.used[query] = self.object(query)
            one.is_ondemand_eligible = is_link
            if hasattr(one, "set_local_path"):
                one.set_local_path(Path(path))
            else:
                one.local_path = lambda: Path(path)
            await one.managed_retrieve()

        return self.errors(self.run(fetch_one, wanted))

    def store(self, queries):
        """What is wrong, or None. Copies get the times of what was stored."""
        if not self.can("Write"):
            return f"the storage provider {self.name} is only read"

        async def store_one(query):
            one = self.used[query] = self.object(query)
            await one.managed_store()
            one = self.object(query)
            if not await one.managed_exists():
                raise Wrong(f"{one.print_query} was stored and is not there; may it be read and written?")
            ns, path = int(await one.managed_mtime() * 1e9), str(one.local_path())
            stamp = os.path.join(path, ".snakemake_timestamp")
            os.utime(stamp if os.path.exists(stamp) else path, ns=(ns, ns))

        return self.errors(self.run(store_one, queries))

    def where_there(self, act, queries):
        async def act_on(query):
            one = self.object(query)
            if await one.managed_exists():
                await act(one)

        return self.errors(self.run(act_on, queries))

    def remove(self, queries):
        if not self.can("Write"):
            return f"the storage provider {self.name} is only read"
        return self.where_there(lambda one: one.managed_remove(), queries)

    def touch(self, queries):
        if not self.can("Touch"):
            return f"the storage plugin {self.name} cannot touch files"
        return self.where_there(lambda one: one.managed_touch(), queries)

    def matches(self, query):
        """(list of queries, None), or (None, what is wrong)"""
        if not self.can("Glob"):
            return None, f"the storage provider {self.name} cannot list what it has"
        try:
            return [str(found) for found in self.object(query).list_candidate_matches()], None
        except Exception as error:
            return None, failed(error)

    # what a porter is told to do, each with what is wrong, or None

    def bring(self, query, path, part, link, optional):
        """Fetches a file to part and moves it to path, if what is there is older."""
        ((there, _, wrong),) = self.look([query])
        here = time_of(path)
        if here >= 0 and here >= there:
            return None
        if wrong or there < 0:
            shown = self.provider.safe_print(query)
            return (
                f"cannot find out whether '{shown}' exists: {wrong}" if wrong
                else None if optional else f"'{shown}' is not in the storage"
            )
        remove_tree(part)
        wrong = self.fetch([(query, bool(link), part)])
        if wrong:
            remove_tree(part)
            return wrong
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        os.replace(part, path)
        return None

    def carry(self, act, query, path, part, link, optional, *_):
        if act == "fetch":
            return self.bring(query, path, part, link, optional)
        return self.store([query]) if act == "store" else self.remove([query])

    def close(self):
        for one in self.used.values():
            try:
                one.cleanup()
            except Exception as error:
                failed(error)
        self.used.clear()


def time_of(path):
    """As the engine has it: a link is as old as itself, a directory as the stamp inside; -1: nothing is there."""
    try:
        own = os.lstat(path)
        stamp = os.path.join(path, ".snakemake_timestamp")
        return os.lstat(stamp).st_mtime_ns if stat.S_ISDIR(own.st_mode) and os.path.exists(stamp) else own.st_mtime_ns
    except OSError:
        return -1


def remove_tree(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def opening(args):
    """How another process opens the same storage, as a text; None: it cannot, as objects of the Snakefile are in it."""
    try:
        return base64.b64encode(pickle.dumps((sys.path, pickle.dumps(args)))).decode()
    except Exception:
        return None


def open_storage(*args):
    """(a Storage, None, None, opening), or (None, what is wrong, what helps, None)"""
    return *open_here(*args), opening(args)


def open_here(name, tag, words, given, prefix, keep, retrieve, is_default, strict, is_verbose):
    global verbose
    verbose = is_verbose
    try:
        module = module_of(name)
        cls = getattr(module, "StorageProviderSettings", None)
        settings = settings_of(name, cls, tag, words, given, strict)
        storage = Storage(name, module, prefix, settings, keep, retrieve, is_default)
        if is_default and not (storage.can("Read") and storage.can("Write")):
            raise Wrong(f"the default storage provider must be read and written, {name} is not both")
        return storage, None, None
    except Wrong as wrong:
        return None, told(wrong), wrong.helps
    except Exception as error:
        return None, f"the storage provider {name} cannot be used: {failed(error)}", None


# ---- a porter ----


def serve():
    """Opens a storage and says so, takes orders from stdin until it ends. What else is printed goes to stderr, and who
    else reads, say a program that the plugin starts, finds nothing."""
    source, out = open(os.dup(0), "rb", buffering=0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    left = []  # fields that have come, and the beginning of the next

    def fields():
        while True:
            if len(left) > 1 and len(left) > int(left[0]) + 1:
                n = int(left.pop(0))
                taken, left[:n] = left[:n], []
                return list(map(os.fsdecode, taken))
            more = source.read(1 << 16)
            if not more:
                return None
            first, *rest = more.split(b"\0")
            left[-1:] = [(left[-1] if left else b"") + first, *rest]

    def answer(why):
        os.write(out, b"1\0" + os.fsencode(why or "") + b"\0")

    os.write(out, b"\0")
    path, args = pickle.loads(base64.b64decode(fields()[0]))
    sys.path[:] = path
    storage, wrong, _ = open_here(*pickle.loads(args))
    answer(wrong)
    while (order := fields()) is not None:
        try:
            answer(wrong or storage.carry(*order))
        except Exception as error:
            answer(failed(error))
    if storage:
        storage.close()
