# SPDX-License-Identifier: MIT
# packaging.version: versions as PEP 440 orders them.
from functools import total_ordering as _total_ordering

_pre = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc", "a": "a", "b": "b", "rc": "rc"}


class InvalidVersion(ValueError):
    pass


class _Reader:
    def __init__(self, text):
        self.text, self.at = text, 0

    def number(self):
        end = self.at
        while end < len(self.text) and self.text[end] in "0123456789":
            end += 1
        if end == self.at:
            return None
        value, self.at = int(self.text[self.at:end]), end
        return value

    def take(self, words):
        for word in words:
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return word
        return None

    def tag(self, words):
        """A separator, one of the words, a separator, a number."""
        start = self.at
        self.take("-_.")
        word = self.take(words)
        if word is None:
            self.at = start
            return None
        here = self.at
        self.take("-_.")
        value = self.number()
        if value is None:
            self.at = here
        return word, value or 0


@_total_ordering
class Version:
    def __init__(self, version):
        self._text = version
        r = _Reader(version.strip().lower())
        r.take("v")
        self.epoch, self.release = 0, ()
        first = r.number()
        if first is not None and r.take("!"):
            self.epoch, first = first, r.number()
        release = [first]
        while first is not None and r.text[r.at:r.at + 1] == "." and r.text[r.at + 1:r.at + 2].isdigit():
            r.at += 1
            release.append(r.number())
        pre = r.tag(["alpha", "beta", "preview", "pre", "rc", "a", "b", "c"])
        self.pre = (_pre[pre[0]], pre[1]) if pre else None
        post = r.tag(["post", "rev", "r"])
        if post is None and r.text[r.at:r.at + 1] == "-" and r.text[r.at + 1:r.at + 2].isdigit():
            r.at += 1
            post = "post", r.number()
        self.post = post[1] if post else None
        dev = r.tag(["dev"])
        self.dev = dev[1] if dev else None
        local = None
        if r.take("+"):
            local, r.at = r.text[r.at:], len(r.text)
            parts = local.replace("-", ".").replace("_", ".").split(".")
            if not all(part.isalnum() for part in parts):
                first = None
            local = ".".join(str(int(part)) if part.isdigit() else part for part in parts)
        self.local = local
        if first is None or r.at != len(r.text):
            raise InvalidVersion("Invalid version: %r" % version)
        self.release = tuple(release)

    def _key(self):
        release = list(self.release)
        while len(release) > 1 and release[-1] == 0:
            release.pop()
        if self.pre is not None:
            pre = (1, *self.pre)
        elif self.post is None and self.dev is not None:
            pre = (0,)
        else:
            pre = (2,)
        post = -1 if self.post is None else self.post
        dev = (1,) if self.dev is None else (0, self.dev)
        local = ()
        if self.local is not None:
            local = ((1,),) + tuple((2, int(p), "") if p.isdigit() else (1, 0, p) for p in self.local.split("."))
        return self.epoch, tuple(release), pre, post, dev, local

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, Version) else NotImplemented

    def __lt__(self, other):
        return self._key() < other._key() if isinstance(other, Version) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    @property
    def base_version(self):
        return ("%d!" % self.epoch if self.epoch else "") + ".".join(map(str, self.release))

    @property
    def public(self):
        return str(self).partition("+")[0]

    @property
    def is_prerelease(self):
        return self.dev is not None or self.pre is not None

    @property
    def is_postrelease(self):
        return self.post is not None

    @property
    def is_devrelease(self):
        return self.dev is not None

    @property
    def major(self):
        return self.release[0]

    @property
    def minor(self):
        return self.release[1] if len(self.release) > 1 else 0

    @property
    def micro(self):
        return self.release[2] if len(self.release) > 2 else 0

    def __str__(self):
        text = self.base_version
        if self.pre is not None:
            text += "%s%d" % self.pre
        if self.post is not None:
            text += ".post%d" % self.post
        if self.dev is not None:
            text += ".dev%d" % self.dev
        return text + ("+" + self.local if self.local is not None else "")

    def __repr__(self):
        return "<Version(%r)>" % str(self)


def parse(version):
    return Version(version)
