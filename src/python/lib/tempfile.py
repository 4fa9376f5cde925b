# SPDX-License-Identifier: MIT
# tempfile.
import os as _os
import _process

_letters = "abcdefghijklmnopqrstuvwxyz0123456789_"
tempdir = None


def gettempdir():
    global tempdir
    if tempdir is None:
        for name in ("TMPDIR", "TEMP", "TMP"):
            if _os.environ.get(name) and _os.path.isdir(_os.environ[name]):
                tempdir = _os.path.abspath(_os.environ[name])
                break
        else:
            tempdir = "/tmp"
    return tempdir


def gettempprefix():
    return "tmp"


def _names(prefix, suffix, dir):
    where = _os.path.abspath(gettempdir() if dir is None else _os.fspath(dir))
    prefix = "tmp" if prefix is None else prefix
    for _ in range(10000):
        middle = "".join(_letters[b % len(_letters)] for b in _process.random_bytes(8))
        yield _os.path.join(where, prefix + middle + (suffix or ""))
    raise FileExistsError(17, "No usable temporary file name found")


def mkdtemp(suffix=None, prefix=None, dir=None):
    for path in _names(prefix, suffix, dir):
        try:
            _os.mkdir(path, 0o700)
        except FileExistsError:
            continue
        return path


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    for path in _names(prefix, suffix, dir):
        try:
            fd = _os.open(path, _os.O_RDWR | _os.O_CREAT | _os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        return fd, path


def mktemp(suffix="", prefix="tmp", dir=None):
    for path in _names(prefix, suffix, dir):
        if not _os.path.lexists(path):
            return path


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False, *, delete=True):
        self.name = mkdtemp(suffix, prefix, dir)
        self._delete = delete

    def __repr__(self):
        return "<TemporaryDirectory %r>" % self.name

    def __enter__(self):
        return self.name

    def __exit__(self, *exc):
        if self._delete:
            self.cleanup()

    def cleanup(self):
        import shutil
        shutil.rmtree(self.name, ignore_errors=True)


class _TemporaryFile:
    def __init__(self, file, name, delete, delete_on_close):
        self.file, self.name, self.delete, self._at_once = file, name, delete, delete_on_close

    def __getattr__(self, name):
        return getattr(self.__dict__["file"], name)

    def __iter__(self):
        return iter(self.file)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.file.close()
        self._unlink()

    def close(self):
        self.file.close()
        if self._at_once:
            self._unlink()

    def _unlink(self):
        if self.delete:
            self.delete = False
            _os.unlink(self.name)


def NamedTemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None,
                       delete=True, *, errors=None, delete_on_close=True):
    fd, path = mkstemp(suffix, prefix, dir)
    if "b" in mode:
        file = open(fd, mode)
    else:
        file = open(fd, mode, encoding=encoding, newline=newline, errors=errors)
    return _TemporaryFile(file, path, delete, delete_on_close)


def TemporaryFile(mode="w+b", *args, **kwargs):
    made = NamedTemporaryFile(mode, *args, **kwargs)
    _os.unlink(made.name)
    made.delete = False
    return made


def SpooledTemporaryFile(max_size=0, *args, **kwargs):
    return TemporaryFile(*args, **kwargs)
