# SPDX-License-Identifier: MIT
# shutil.
import fnmatch as _fnmatch
import os as _os
from collections import namedtuple as _namedtuple


class Error(OSError):
    pass


class SameFileError(Error):
    pass


class SpecialFileError(OSError):
    pass


class ReadError(OSError):
    pass


class ExecError(OSError):
    pass


def copyfileobj(fsrc, fdst, length=0):
    while True:
        block = fsrc.read(length or 1 << 18)
        if not block:
            break
        fdst.write(block)


def copyfile(src, dst, *, follow_symlinks=True):
    if _os.path.exists(dst) and _os.path.samefile(src, dst):
        raise SameFileError("%r and %r are the same file" % (src, dst))
    if not follow_symlinks and _os.path.islink(src):
        _os.symlink(_os.readlink(src), dst)
        return dst
    with open(src, "rb") as source:
        with open(dst, "wb") as target:
            copyfileobj(source, target)
    return dst


def copymode(src, dst, *, follow_symlinks=True):
    _os.chmod(dst, _os.stat(src).st_mode & 0o7777)


def copystat(src, dst, *, follow_symlinks=True):
    if not follow_symlinks and _os.path.islink(src):
        return
    found = _os.stat(src)
    _os.chmod(dst, found.st_mode & 0o7777)
    _os.utime(dst, ns=(found.st_atime_ns, found.st_mtime_ns))


def _target(src, dst):
    if _os.path.isdir(dst):
        return _os.path.join(dst, _os.path.basename(src))
    return dst


def copy(src, dst, *, follow_symlinks=True):
    dst = _target(src, dst)
    copyfile(src, dst, follow_symlinks=follow_symlinks)
    copymode(src, dst)
    return dst


def copy2(src, dst, *, follow_symlinks=True):
    dst = _target(src, dst)
    copyfile(src, dst, follow_symlinks=follow_symlinks)
    copystat(src, dst, follow_symlinks=follow_symlinks)
    return dst


def ignore_patterns(*patterns):
    def ignore(path, names):
        return {name for pattern in patterns for name in _fnmatch.filter(names, pattern)}

    return ignore


def copytree(src, dst, symlinks=False, ignore=None, copy_function=copy2, ignore_dangling_symlinks=False,
             dirs_exist_ok=False):
    src, dst = _os.fspath(src), _os.fspath(dst)
    names = _os.listdir(src)
    ignored = ignore(src, names) if ignore is not None else ()
    _os.makedirs(dst, exist_ok=dirs_exist_ok)
    for name in names:
        if name in ignored:
            continue
        source, target = _os.path.join(src, name), _os.path.join(dst, name)
        if symlinks and _os.path.islink(source):
            _os.symlink(_os.readlink(source), target)
        elif _os.path.isdir(source):
            copytree(source, target, symlinks, ignore, copy_function, ignore_dangling_symlinks, dirs_exist_ok)
        elif not (ignore_dangling_symlinks and not _os.path.exists(source)):
            copy_function(source, target)
    copystat(src, dst)
    return dst


def rmtree(path, ignore_errors=False, onerror=None, *, dir_fd=None):
    def attempt(function, path):
        try:
            return function(path)
        except OSError as error:
            if onerror is not None:
                onerror(function, path, (type(error), error, None))
            elif not ignore_errors:
                raise
        return None

    path = _os.fspath(path)
    if _os.path.islink(path):
        if ignore_errors:
            return
        raise OSError("Cannot call rmtree on a symbolic link")
    names = attempt(_os.listdir, path)
    if names is None:
        return
    for name in names:
        full = _os.path.join(path, name)
        if _os.path.isdir(full) and not _os.path.islink(full):
            rmtree(full, ignore_errors, onerror)
        else:
            attempt(_os.unlink, full)
    attempt(_os.rmdir, path)


def move(src, dst, copy_function=copy2):
    src, real = _os.fspath(src), _os.fspath(dst)
    if _os.path.isdir(dst):
        if _os.path.samefile(src, dst):
            _os.rename(src, dst)
            return dst
        real = _os.path.join(dst, _os.path.basename(src.rstrip("/")))
        if _os.path.exists(real):
            raise Error("Destination path '%s' already exists" % real)
    try:
        _os.rename(src, real)
    except OSError as error:
        if error.errno != 18:
            raise
        if _os.path.islink(src):
            _os.symlink(_os.readlink(src), real)
            _os.unlink(src)
        elif _os.path.isdir(src):
            copytree(src, real, symlinks=True, copy_function=copy_function)
            rmtree(src)
        else:
            copy_function(src, real)
            _os.unlink(src)
    return real


def which(cmd, mode=1, path=None):
    def fits(name):
        return _os.path.isfile(name) and _os.access(name, mode)

    cmd = _os.fspath(cmd)
    if _os.path.dirname(cmd):
        return cmd if fits(cmd) else None
    path = _os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin") if path is None else path
    for directory in path.split(":"):
        name = _os.path.join(directory, cmd)
        if fits(name):
            return name
    return None


_usage = _namedtuple("usage", "total used free")


def disk_usage(path):
    found = _os.statvfs(path)
    total, free = found.f_blocks * found.f_frsize, found.f_bavail * found.f_frsize
    return _usage(total, (found.f_blocks - found.f_bfree) * found.f_frsize, free)


terminal_size = _namedtuple("terminal_size", "columns lines")


def get_terminal_size(fallback=(80, 24)):
    columns = _os.environ.get("COLUMNS", "")
    lines = _os.environ.get("LINES", "")
    return terminal_size(int(columns) if columns.isdigit() else fallback[0],
                         int(lines) if lines.isdigit() else fallback[1])


_tar_flags = {".tar": "", ".tar.gz": "z", ".tgz": "z", ".tar.bz2": "j", ".tbz2": "j", ".tar.xz": "J", ".txz": "J"}
_formats = {"tar": ".tar", "gztar": ".tar.gz", "bztar": ".tar.bz2", "xztar": ".tar.xz", "zip": ".zip"}


def unpack_archive(filename, extract_dir=None, format=None, *, filter=None):
    import subprocess
    filename = _os.fspath(filename)
    where = _os.getcwd() if extract_dir is None else _os.fspath(extract_dir)
    if format is not None:
        if format not in _formats:
            raise ValueError("Unknown unpack format '%s'" % format)
        ending = _formats[format]
    else:
        fits = [e for e in list(_tar_flags) + [".zip"] if filename.endswith(e)]
        if not fits:
            raise ReadError("Unknown archive format '%s'" % filename)
        ending = max(fits, key=len)
    _os.makedirs(where, exist_ok=True)
    if ending == ".zip":
        command = ["unzip", "-qo", filename, "-d", where]
    else:
        command = ["tar", "-x" + _tar_flags[ending] + "f", filename, "-C", where]
    subprocess.run(command, check=True)


def make_archive(base_name, format, root_dir=None, base_dir=None, **others):
    import subprocess
    if format not in _formats:
        raise ValueError("unknown archive format '%s'" % format)
    name = _os.path.abspath(base_name) + _formats[format]
    where, what = root_dir or ".", base_dir or "."
    if format == "zip":
        command = ["zip", "-qr", name, what]
    else:
        command = ["tar", "-c" + _tar_flags[_formats[format]] + "f", name, what]
    subprocess.run(command, cwd=where, check=True)
    return name
