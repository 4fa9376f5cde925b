# SPDX-License-Identifier: MIT
# hashlib.
import _imp
from _hashlib import new as _new

_own = {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}
algorithms_guaranteed = _own | {"blake2b", "blake2s", "sha3_224", "sha3_256", "sha3_384", "sha3_512", "shake_128",
                                "shake_256"}
algorithms_available = set(algorithms_guaranteed)


def new(name, data=b"", **kwargs):
    plain = name.lower().replace("-", "")
    return _new(plain, data) if plain in _own else _imp.elsewhere("hashlib").new(name, data, **kwargs)


def md5(string=b"", *, usedforsecurity=True):
    return _new("md5", string)


def sha1(string=b"", *, usedforsecurity=True):
    return _new("sha1", string)


def sha224(string=b"", *, usedforsecurity=True):
    return _new("sha224", string)


def sha256(string=b"", *, usedforsecurity=True):
    return _new("sha256", string)


def sha384(string=b"", *, usedforsecurity=True):
    return _new("sha384", string)


def sha512(string=b"", *, usedforsecurity=True):
    return _new("sha512", string)


def file_digest(fileobj, digest, /):
    made = digest() if callable(digest) else new(digest)
    while True:
        block = fileobj.read(1 << 18)
        if not block:
            return made
        made.update(block)


def __getattr__(name):  # sha3, blake2 and what derives keys: python3's
    if name.startswith("_"):
        raise AttributeError("module 'hashlib' has no attribute %r" % name)
    return getattr(_imp.elsewhere("hashlib"), name)
