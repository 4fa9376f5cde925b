# SPDX-License-Identifier: MIT
# pathlib: POSIX paths. A path keeps its normal text; parts are cut from it when asked for.
from _imp import instance_here as isinstance
import fnmatch as _fnmatch
import os
from _process import group_name as _group_name, user_name as _user_name


def _normal(text):
    """Without double slashes and "." components."""
    if text.startswith("//") and not text.startswith("///"):
        root = "//"
    else:
        root = "/" if text.startswith("/") else ""
    if "//" in text or "." in text or text.endswith("/"):
        parts = [part for part in text.split("/") if part and part != "."]
        return root + "/".join(parts) or "."
    return text or "."


def _alike(case_sensitive):
    """What matches a name with a pattern."""
    if case_sensitive in (None, True):
        return _fnmatch.fnmatchcase
    return lambda name, pattern: _fnmatch.fnmatchcase(name.lower(), pattern.lower())


class _Parents:
    def __init__(self, path):
        self._items = []
        while True:
            parent = path.parent
            if parent._text == path._text:
                break
            self._items.append(parent)
            path = parent

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple(self._items[index])
        if not -len(self._items) <= index < len(self._items):
            raise IndexError(index)
        return self._items[index]

    def __iter__(self):
        return iter(self._items)

    def __repr__(self):
        return "<PosixPath.parents>"


class PurePath(os.PathLike):
    def __init__(self, *parts):
        if len(parts) == 1 and type(parts[0]) is str:
            self._text = _normal(parts[0])
            return
        texts = []
        for part in parts:
            if isinstance(part, PurePath):
                texts.append(part._text)
            elif isinstance(part, str):
                texts.append(part)
            elif hasattr(part, "__fspath__"):
                texts.append(part.__fspath__())
            else:
                raise TypeError("argument should be a str or an os.PathLike object where __fspath__ returns a str, "
                                f"not {type(part).__name__!r}")
        self._text = _normal(os.path.join(*texts)) if texts else "."

    def _from(self, text):
        path = object.__new__(type(self))
        path._text = text
        return path

    def __str__(self):
        return self._text

    def __fspath__(self):
        return self._text

    def __bytes__(self):
        return os.fsencode(self._text)

    def __repr__(self):
        return f"{type(self).__name__}({self._text!r})"

    def __bytes__(self):
        return os.fsencode(self._text)

    def __hash__(self):
        return hash(self._text)

    def __eq__(self, other):
        return self._text == other._text if isinstance(other, PurePath) else NotImplemented

    @property
    def _order(self):
        return self._text.split("/")

    def __lt__(self, other):
        return self._order < other._order if isinstance(other, PurePath) else NotImplemented

    def __le__(self, other):
        return self._order <= other._order if isinstance(other, PurePath) else NotImplemented

    def __gt__(self, other):
        return self._order > other._order if isinstance(other, PurePath) else NotImplemented

    def __ge__(self, other):
        return self._order >= other._order if isinstance(other, PurePath) else NotImplemented

    def __truediv__(self, other):
        if isinstance(other, str):
            text = other
        elif hasattr(other, "__fspath__"):
            text = other.__fspath__()
        else:
            return NotImplemented
        if self._text == ".":
            return self._from(_normal(text))
        return self._from(_normal(os.path.join(self._text, text)))

    def __rtruediv__(self, other):
        if not isinstance(other, str):
            return NotImplemented
        return self._from(_normal(os.path.join(other, self._text)))

    def joinpath(self, *others):
        path = self
        for other in others:
            path = path / other
        return path

    @property
    def root(self):
        return "//" if self._text.startswith("//") else "/" if self._text.startswith("/") else ""

    @property
    def drive(self):
        return ""

    @property
    def anchor(self):
        return self.root

    @property
    def parts(self):
        if self._text == ".":
            return ()
        parts = [part for part in self._text.split("/") if part]
        return tuple([self.root] + parts) if self.root else tuple(parts)

    @property
    def name(self):
        return "" if self._text == "." else self._text.rpartition("/")[2]

    @property
    def parent(self):
        head, slash, _ = self._text.rpartition("/")
        if not slash:
            return self._from(".")
        return self._from(head + "/" if head in ("", "/") else head)

    @property
    def parents(self):
        return _Parents(self)

    @property
    def suffix(self):
        name = self.name
        i = name.rfind(".")
        return name[i:] if 0 < i < len(name) - 1 else ""

    @property
    def suffixes(self):
        name = self.name
        if name.endswith("."):
            return []
        return ["." + suffix for suffix in name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        name = self.name
        i = name.rfind(".")
        return name[:i] if 0 < i < len(name) - 1 else name

    def with_name(self, name):
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        if not name or "/" in name or name == ".":
            raise ValueError(f"Invalid name {name!r}")
        return self._from(self._text[: len(self._text) - len(self.name)] + name)

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if "/" in suffix or (suffix and not suffix.startswith(".")) or suffix == ".":
            raise ValueError(f"Invalid suffix {suffix!r}")
        name = self.name
        if not name:
            raise ValueError(f"{self!r} has an empty name")
        old = self.suffix
        return self._from(self._text[: len(self._text) - len(old)] + suffix)

    def with_segments(self, *parts):
        return type(self)(*parts)

    def as_posix(self):
        return self._text

    def as_uri(self):
        if not self.is_absolute():
            raise ValueError("relative path can't be expressed as a file URI")
        from urllib.parse import quote
        return "file://" + quote(self._text)

    def is_absolute(self):
        return self._text.startswith("/")

    def is_reserved(self):
        return False

    def is_relative_to(self, *other):
        other = type(self)(*other)
        n = len(other.parts)
        return self.parts[:n] == other.parts and self.is_absolute() == other.is_absolute()

    def relative_to(self, *other, walk_up=False):
        if not other:
            raise TypeError("need at least one argument")
        other, up = type(self)(*other), 0
        base = other.parts
        while self.parts[:len(base)] != base or other.is_absolute() != self.is_absolute():
            if not walk_up:
                raise ValueError(f"{self._text!r} is not in the subpath of {other._text!r}")
            if base in ((), ("/",)):
                raise ValueError(f"{self._text!r} and {other._text!r} have different anchors")
            if base[-1] == "..":
                raise ValueError(f"'..' segment in {other._text!r} cannot be walked")
            base, up = base[:-1], up + 1
        return self._from("/".join((*[".."] * up, *self.parts[len(base):])) or ".")

    def match(self, pattern, *, case_sensitive=None):
        pattern = PurePath(pattern)
        wanted, parts = pattern.parts, self.parts
        if not wanted:
            raise ValueError("empty pattern")
        if pattern.is_absolute() and len(wanted) != len(parts):
            return False
        if len(wanted) > len(parts):
            return False
        alike = _alike(case_sensitive)
        return all(alike(part, want) for part, want in zip(reversed(parts), reversed(wanted)))


class Path(PurePath):
    @classmethod
    def cwd(cls):
        return cls(os.getcwd())

    @classmethod
    def home(cls):
        return cls(os.path.expanduser("~"))

    def stat(self, *, follow_symlinks=True):
        return os.stat(self._text, follow_symlinks=follow_symlinks)

    def lstat(self):
        return os.lstat(self._text)

    def exists(self, *, follow_symlinks=True):
        return os.path.exists(self._text) if follow_symlinks else os.path.lexists(self._text)

    def is_file(self):
        return os.path.isfile(self._text)

    def is_dir(self):
        return os.path.isdir(self._text)

    def is_symlink(self):
        return os.path.islink(self._text)

    def is_mount(self):
        return os.path.ismount(self._text)

    def is_fifo(self):
        return self.exists() and self.stat().st_mode & 0o170000 == 0o010000

    def is_socket(self):
        return self.exists() and self.stat().st_mode & 0o170000 == 0o140000

    def absolute(self):
        if self.is_absolute():
            return self
        cwd = os.getcwd()
        return self._from(cwd if self._text == "." else _normal(os.path.join(cwd, self._text)))

    def resolve(self, strict=False):
        return self._from(os.path.realpath(self._text, strict=strict))

    def expanduser(self):
        return self._from(_normal(os.path.expanduser(self._text)))

    def readlink(self):
        return self._from(os.readlink(self._text))

    def samefile(self, other):
        return os.path.samefile(self._text, other)

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return open(self._text, mode, buffering, encoding, errors, newline)

    def read_text(self, encoding=None, errors=None):
        with open(self._text, "r", -1, encoding, errors) as f:
            return f.read()

    def read_bytes(self):
        with open(self._text, "rb") as f:
            return f.read()

    def write_text(self, data, encoding=None, errors=None, newline=None):
        if not isinstance(data, str):
            raise TypeError(f"data must be str, not {type(data).__name__}")
        with open(self._text, "w", -1, encoding, errors, newline) as f:
            return f.write(data)

    def write_bytes(self, data):
        if not isinstance(data, (bytes, bytearray)):  # before the file is emptied
            raise TypeError(f"memoryview: a bytes-like object is required, not '{type(data).__name__}'")
        with open(self._text, "wb") as f:
            return f.write(data)

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        try:
            os.mkdir(self._text, mode)
        except FileNotFoundError:
            if not parents or self.parent._text == self._text:
                raise
            self.parent.mkdir(parents=True, exist_ok=True)
            self.mkdir(mode, parents=False, exist_ok=exist_ok)
        except OSError:
            if not exist_ok or not self.is_dir():
                raise

    def rmdir(self):
        os.rmdir(self._text)

    def unlink(self, missing_ok=False):
        try:
            os.unlink(self._text)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def touch(self, mode=0o666, exist_ok=True):
        if os.path.exists(self._text):
            if not exist_ok:
                raise FileExistsError(17, "File exists", self._text)
            os.utime(self._text)
        else:
            os.close(os.open(self._text, os.O_CREAT | os.O_WRONLY, mode))

    def rename(self, target):
        os.rename(self._text, target)
        return type(self)(target)

    def replace(self, target):
        os.replace(self._text, target)
        return type(self)(target)

    def symlink_to(self, target, target_is_directory=False):
        os.symlink(target, self._text)

    def hardlink_to(self, target):
        os.link(target, self._text)

    def chmod(self, mode, *, follow_symlinks=True):
        os.chmod(self._text, mode)

    def owner(self):
        return _user_name(self.stat().st_uid)

    def group(self):
        return _group_name(self.stat().st_gid)

    def iterdir(self):
        for name in os.listdir(self._text):
            yield self / name

    def glob(self, pattern, *, case_sensitive=None):
        if not pattern:
            raise ValueError(f"Unacceptable pattern: {pattern!r}")
        if pattern.startswith("/"):
            raise NotImplementedError("Non-relative patterns are unsupported")
        yield from self._select([part for part in pattern.split("/") if part and part != "."], pattern.endswith("/"),
                                case_sensitive)

    def rglob(self, pattern, *, case_sensitive=None):
        if pattern.startswith("/"):
            raise NotImplementedError("Non-relative patterns are unsupported")
        yield from self.glob("**/" + pattern, case_sensitive=case_sensitive)

    def _select(self, parts, only_dirs, case):
        if not parts:
            if not only_dirs or self.is_dir():
                yield self
            return
        first, rest = parts[0], parts[1:]
        if first == "**":
            seen = set()
            for directory in self._below():
                if not rest:
                    yield directory
                    continue
                for path in directory._select(rest, only_dirs, case):
                    if path._text not in seen:
                        seen.add(path._text)
                        yield path
        elif any(c in first for c in "*?[") or case is False:
            try:
                names = os._entries(self._text)
            except OSError:
                return
            alike = _alike(case)
            for name, kind in names:
                if alike(name, first):
                    path = self / name
                    if not rest:
                        if not only_dirs or path.is_dir():
                            yield path
                    elif kind == "d" or (kind in "l?" and path.is_dir()):
                        yield from path._select(rest, only_dirs, case)
        else:
            path = self / first
            if rest or os.path.lexists(path._text):
                yield from path._select(rest, only_dirs, case)

    def _below(self):
        yield self
        try:
            entries = os._entries(self._text)
        except OSError:
            return
        for name, kind in entries:
            if kind == "d" or (kind == "?" and (self / name).is_dir()):
                yield from (self / name)._below()

    def walk(self, top_down=True, on_error=None, follow_symlinks=False):
        for root, dirs, files in os.walk(self._text, top_down, on_error, follow_symlinks):
            links = [] if follow_symlinks else [name for name in dirs if os.path.islink(os.path.join(root, name))]
            if links:
                dirs[:] = [name for name in dirs if name not in links]
            yield self._from(root), dirs, files + links

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


Path.__name__ = "PosixPath"  # what type(path) is called; there is no other kind of path
PosixPath = Path
PurePath.__name__ = "PurePosixPath"
PurePosixPath = PurePath
