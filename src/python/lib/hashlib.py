# SPDX-License-Identifier: MIT
# hashlib.
from _hashlib import new as _new

algorithms_guaranteed = {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}
algorithms_available = set(algorithms_guaranteed)


def new(name, data=b"", **kwargs):
    return _new(name.lower().replace("-", ""), data)


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
