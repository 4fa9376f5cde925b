# SPDX-License-Identifier: MIT
# uuid.
import _process
import hashlib as _hashlib
import time as _time

RFC_4122 = "specified in RFC 4122"


class UUID:
    def __init__(self, hex=None, bytes=None, int=None, version=None):
        given = [x for x in (hex, bytes, int) if x is not None]
        if len(given) != 1:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
        if hex is not None:
            hex = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if len(hex) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            int = _int(hex, 16)
        elif bytes is not None:
            if len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            int = _int.from_bytes(bytes, "big")
        if version is not None:
            int = int & ~(0xc000 << 48) | 0x8000 << 48
            int = int & ~(0xf000 << 64) | version << 76
        self.int = int

    @property
    def hex(self):
        return "%032x" % self.int

    @property
    def bytes(self):
        return self.int.to_bytes(16, "big")

    @property
    def version(self):
        return self.int >> 76 & 0xf

    @property
    def variant(self):
        return RFC_4122

    @property
    def urn(self):
        return "urn:uuid:" + str(self)

    def __str__(self):
        h = self.hex
        return "%s-%s-%s-%s-%s" % (h[:8], h[8:12], h[12:16], h[16:20], h[20:])

    def __repr__(self):
        return "UUID(%r)" % str(self)

    def __int__(self):
        return self.int

    def __eq__(self, other):
        return self.int == other.int if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __hash__(self):
        return hash(self.int)


_int = int


def uuid1(node=None, clock_seq=None):
    ticks = _time.time_ns() // 100 + 0x01b21dd213814000
    extra = _int.from_bytes(_process.random_bytes(8), "big")
    node = (extra & 0xffffffffffff) | 1 << 40 if node is None else node
    clock = (extra >> 48 if clock_seq is None else clock_seq) & 0x3fff
    number = (ticks & 0xffffffff) << 96 | (ticks >> 32 & 0xffff) << 80 | (ticks >> 48 & 0xfff) << 64
    return UUID(int=number | clock << 48 | node, version=1)


def uuid3(namespace, name):
    return UUID(bytes=_hashlib.md5(namespace.bytes + name.encode()).digest(), version=3)


def uuid4():
    return UUID(bytes=_process.random_bytes(16), version=4)


def uuid5(namespace, name):
    return UUID(bytes=_hashlib.sha1(namespace.bytes + name.encode()).digest()[:16], version=5)


NAMESPACE_DNS = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_URL = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_OID = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_X500 = UUID("6ba7b814-9dad-11d1-80b4-00c04fd430c8")
