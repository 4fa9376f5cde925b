# SPDX-License-Identifier: MIT
# importlib: modules by name; util, metadata, resources and the like are python3's.
import _imp
import sys as _sys


def import_module(name, package=None):
    if not name.startswith("."):
        return _imp.load(name)
    if not package:
        raise TypeError("the 'package' argument is required to perform a relative import for %r" % name)
    level = len(name) - len(name.lstrip("."))
    parts = package.split(".")
    if level > len(parts):
        raise ImportError("attempted relative import beyond top-level package")
    return _imp.load(".".join(parts[: len(parts) - level + 1]) + "." * (name[level:] != "") + name[level:])


def reload(module):
    name = module.__name__
    if _sys.modules.get(name) is not module:
        raise ImportError("module %s not in sys.modules" % name, name=name)
    del _sys.modules[name]
    try:
        fresh = _imp.load(name)
        module.__dict__.update(fresh.__dict__)
    finally:
        _sys.modules[name] = module
    return module


def invalidate_caches():
    pass


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError("module 'importlib' has no attribute %r" % name)
    if name == "util":
        return _imp.load("importlib.util")
    if name in ("abc", "machinery", "metadata", "resources"):  # Snakemake has imported them
        return _imp.elsewhere("importlib." + name)
    return getattr(_imp.elsewhere("importlib"), name)
