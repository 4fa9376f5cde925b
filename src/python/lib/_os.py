# SPDX-License-Identifier: MIT
# os: what is made of the system's calls.

error = OSError


class _Environ(dict):
    def __setitem__(self, key, value):
        if not isinstance(key, str) or not isinstance(value, str):
            wrong = key if not isinstance(key, str) else value
            raise TypeError(f"str expected, not {type(wrong).__name__}")
        putenv(key, value)
        super().__setitem__(key, value)

    def __delitem__(self, key):
        super().__delitem__(key)
        unsetenv(key)

    def pop(self, key, *default):
        if key in self:
            value = self[key]
            del self[key]
            return value
        if default:
            return default[0]
        raise KeyError(key)

    def setdefault(self, key, value):
        if key not in self:
            self[key] = value
        return self[key]

    def update(self, *args, **kwargs):
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def clear(self):
        for key in list(self):
            del self[key]

    def copy(self):
        return dict(self)

    def __repr__(self):
        return "environ(" + dict.__repr__(self) + ")"


environ = _Environ(_environment())


def getenv(key, default=None):
    return environ.get(key, default)


class stat_result(tuple):
    st_mode = property(lambda self: self[0])
    st_ino = property(lambda self: self[1])
    st_dev = property(lambda self: self[2])
    st_nlink = property(lambda self: self[3])
    st_uid = property(lambda self: self[4])
    st_gid = property(lambda self: self[5])
    st_size = property(lambda self: self[6])
    st_atime = property(lambda self: self[10] / 1e9)
    st_mtime = property(lambda self: self[11] / 1e9)
    st_ctime = property(lambda self: self[12] / 1e9)
    st_atime_ns = property(lambda self: self[10])
    st_mtime_ns = property(lambda self: self[11])
    st_ctime_ns = property(lambda self: self[12])
    st_blocks = property(lambda self: self[13])
    st_blksize = property(lambda self: self[14])


def stat(path, *, dir_fd=None, follow_symlinks=True):
    f = _stat_fields(path, follow_symlinks)
    times = tuple(t // 1000000000 for t in f[7:10])
    return stat_result(f[:7] + times + f[7:])


def lstat(path, *, dir_fd=None):
    return stat(path, follow_symlinks=False)


def fstat(fd):
    return stat(fd)


class statvfs_result(tuple):
    f_bsize = property(lambda self: self[0])
    f_frsize = property(lambda self: self[1])
    f_blocks = property(lambda self: self[2])
    f_bfree = property(lambda self: self[3])
    f_bavail = property(lambda self: self[4])
    f_files = property(lambda self: self[5])
    f_ffree = property(lambda self: self[6])
    f_favail = property(lambda self: self[7])
    f_flag = property(lambda self: self[8])
    f_namemax = property(lambda self: self[9])


def statvfs(path):
    return statvfs_result(_statvfs_fields(path))


class uname_result(tuple):
    sysname = property(lambda self: self[0])
    nodename = property(lambda self: self[1])
    release = property(lambda self: self[2])
    version = property(lambda self: self[3])
    machine = property(lambda self: self[4])


def uname():
    return uname_result(_uname_fields())


def utime(path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True):
    if times is not None and ns is not None:
        raise ValueError("utime: you may specify either 'times' or 'ns' but not both")
    if ns is None and times is not None:
        ns = (int(times[0] * 1000000000), int(times[1] * 1000000000))
    if ns is None:
        _utime_ns(path, None, None, follow_symlinks)
    else:
        _utime_ns(path, ns[0], ns[1], follow_symlinks)


def makedirs(name, mode=0o777, exist_ok=False):
    head, tail = path.split(name)
    if not tail:
        head, tail = path.split(head)
    if head and tail and not path.exists(head):
        try:
            makedirs(head, exist_ok=exist_ok)
        except FileExistsError:
            pass
        if tail == curdir:
            return
    try:
        mkdir(name, mode)
    except OSError:
        if not exist_ok or not path.isdir(name):
            raise


def removedirs(name):
    rmdir(name)
    head, tail = path.split(name)
    if not tail:
        head, tail = path.split(head)
    while head and tail:
        try:
            rmdir(head)
        except OSError:
            break
        head, tail = path.split(head)


def renames(old, new):
    head, tail = path.split(new)
    if head and tail and not path.exists(head):
        makedirs(head)
    rename(old, new)


class DirEntry:
    def __init__(self, directory, name, kind):
        self.name = name
        self.path = path.join(directory, name)
        self._kind = kind

    def is_dir(self, *, follow_symlinks=True):
        if self._kind in "df":
            return self._kind == "d"
        if self._kind == "l" and not follow_symlinks:
            return False
        return path.isdir(self.path) and (follow_symlinks or not path.islink(self.path))

    def is_file(self, *, follow_symlinks=True):
        if self._kind in "df":
            return self._kind == "f"
        if self._kind == "l" and not follow_symlinks:
            return False
        return path.isfile(self.path) and (follow_symlinks or not path.islink(self.path))

    def is_symlink(self):
        return self._kind == "l" or (self._kind == "?" and path.islink(self.path))

    def stat(self, *, follow_symlinks=True):
        return stat(self.path, follow_symlinks=follow_symlinks)

    def inode(self):
        return lstat(self.path).st_ino

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


class _Scan:
    def __init__(self, directory):
        self._items = iter([DirEntry(directory, name, kind) for name, kind in _entries(directory)])

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._items)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def close(self):
        pass


def scandir(directory="."):
    return _Scan(fspath(directory))


def walk(top, topdown=True, onerror=None, followlinks=False):
    top = fspath(top)
    try:
        entries = _entries(top)
    except OSError as e:
        if onerror is not None:
            onerror(e)
        return
    dirs, files = [], []
    for name, kind in entries:
        if kind == "d" or (kind in "l?" and path.isdir(path.join(top, name))):
            dirs.append(name)
        else:
            files.append(name)
    if topdown:
        yield top, dirs, files
    for name in dirs:
        below = path.join(top, name)
        if followlinks or not path.islink(below):
            yield from walk(below, topdown, onerror, followlinks)
    if not topdown:
        yield top, dirs, files


class _Popen:
    """The file that popen() gives: what a command says, or hears."""

    def __init__(self, stream, process):
        self._stream, self._process = stream, process

    def close(self):
        self._stream.close()
        return self._process.wait() << 8 or None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def __iter__(self):
        return iter(self._stream)

    def __getattr__(self, name):
        return getattr(self._stream, name)


def popen(cmd, mode="r", buffering=-1):
    if mode not in ("r", "w"):
        raise ValueError("invalid mode %r" % mode)
    from subprocess import PIPE, Popen
    if mode == "r":
        process = Popen(cmd, shell=True, text=True, stdout=PIPE)
        return _Popen(process.stdout, process)
    process = Popen(cmd, shell=True, text=True, stdin=PIPE)
    return _Popen(process.stdin, process)


# What system() and wait() tell: the status that a process exited with, or the signal that ended it.


def WTERMSIG(status):
    return status & 0x7f


def WEXITSTATUS(status):
    return status >> 8 & 0xff


def WIFEXITED(status):
    return WTERMSIG(status) == 0


def WIFSIGNALED(status):
    return WTERMSIG(status) not in (0, 0x7f)


def WIFSTOPPED(status):
    return status & 0xff == 0x7f


def WSTOPSIG(status):
    return WEXITSTATUS(status)


def waitstatus_to_exitcode(status):
    if WIFEXITED(status):
        return WEXITSTATUS(status)
    if WIFSIGNALED(status):
        return -WTERMSIG(status)
    if WIFSTOPPED(status):
        raise ValueError(f"process stopped by delivery of signal {WSTOPSIG(status)}")
    raise ValueError(f"invalid wait status: {status}")


def fsencode(name):
    return fspath(name).encode("utf-8", "surrogateescape")


def fsdecode(name):
    return name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else fspath(name)


def fdopen(fd, mode="r", buffering=-1, encoding=None, *args, **kwargs):
    if not isinstance(fd, int):
        raise TypeError("invalid fd type (%s, expected integer)" % type(fd))
    from builtins import open  # the module has one of its own
    return open(fd, mode, buffering, encoding, *args, **kwargs)


def fsync(fd):
    _fsync(fd if isinstance(fd, int) else fd.fileno())


fdatasync = fsync


def get_exec_path(env=None):
    return (environ if env is None else env).get("PATH", "/bin:/usr/bin").split(pathsep)


class terminal_size(tuple):
    columns = property(lambda self: self[0])
    lines = property(lambda self: self[1])


def get_terminal_size(fd=1):
    return terminal_size((int(environ.get("COLUMNS", 80)), int(environ.get("LINES", 24))))


class PathLike:
    @classmethod
    def __class_getitem__(cls, item):
        return cls
