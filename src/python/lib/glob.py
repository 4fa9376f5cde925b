# SPDX-License-Identifier: MIT
# glob.
import os
from fnmatch import fnmatchcase as _fnmatchcase


def has_magic(s):
    return "*" in s or "?" in s or "[" in s


def escape(pathname):
    return "".join(["[" + c + "]" if c in "*?[" else c for c in pathname])


def _names(directory, only_dirs):
    try:
        entries = os._entries(directory or ".")
    except OSError:
        return []
    return [name for name, kind in entries
            if not only_dirs or kind == "d" or (kind in "l?" and os.path.isdir(os.path.join(directory, name)))]


def _hidden(name):
    return name.startswith(".")


def _below(directory, only_dirs, hidden):
    """Everything under a directory, relative to it."""
    for name in _names(directory, only_dirs):
        if not hidden and _hidden(name):
            continue
        yield name
        path = os.path.join(directory, name)
        if os.path.isdir(path):
            for below in _below(path, only_dirs, hidden):
                yield os.path.join(name, below)


def _in_directory(root, directory, name, only_dirs, recursive, hidden):
    full = os.path.join(root, directory)
    if recursive and name == "**":
        if not full or os.path.isdir(full):
            yield ""
        yield from _below(full, only_dirs, hidden)
    elif has_magic(name):
        for found in _names(full, only_dirs):
            if (hidden or not _hidden(found) or _hidden(name)) and _fnmatchcase(found, name):
                yield found
    elif name == "":
        if os.path.isdir(full):
            yield name
    elif os.path.lexists(os.path.join(full, name)):
        yield name


def _walk(root, pathname, only_dirs, recursive, hidden):
    directory, name = os.path.split(pathname)
    if not has_magic(pathname):
        full = os.path.join(root, pathname)
        if os.path.lexists(full) if name else os.path.isdir(os.path.join(root, directory)):
            yield pathname
        return
    if not directory:
        yield from _in_directory(root, "", name, only_dirs, recursive, hidden)
        return
    if directory != pathname and has_magic(directory):
        parents = _walk(root, directory, True, recursive, hidden)
    else:
        parents = [directory]
    for parent in parents:
        for found in _in_directory(root, parent, name, only_dirs, recursive, hidden):
            yield os.path.join(parent, found)


def iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    pathname = os.fspath(pathname)
    root = os.fspath(root_dir) if root_dir is not None else ""
    skip = recursive and pathname.startswith("**")
    for found in _walk(root, pathname, False, recursive, include_hidden):
        if skip and not found:
            continue
        yield found


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    return list(iglob(pathname, root_dir=root_dir, recursive=recursive, include_hidden=include_hidden))
