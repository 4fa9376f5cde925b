# SPDX-License-Identifier: MIT
# urllib.parse.
from collections import namedtuple as _namedtuple

_always = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~")
_relative = {"", "ftp", "http", "gopher", "nntp", "imap", "wais", "file", "https", "shttp", "mms", "prospero",
             "rtsp", "rtspu", "sftp", "svn", "svn+ssh", "ws", "wss"}
_with_netloc = _relative | {"telnet", "snews", "rsync", "nfs", "git", "git+ssh"}
_with_params = {"", "ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtspu", "sip", "sips",
                "mms", "sftp", "tel"}
_scheme_letters = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")
_hex_digits = frozenset(b"0123456789abcdefABCDEF")


class _Netloc:
    @property
    def _host(self):
        return self.netloc.rpartition("@")[2]

    @property
    def username(self):
        before, at, _ = self.netloc.rpartition("@")
        return before.partition(":")[0] if at else None

    @property
    def password(self):
        before, at, _ = self.netloc.rpartition("@")
        _, colon, password = before.partition(":")
        return password if at and colon else None

    @property
    def hostname(self):
        host = self._host
        if host.startswith("["):
            host = host[1:].partition("]")[0]
        else:
            host = host.partition(":")[0]
        return host.lower() or None

    @property
    def port(self):
        host = self._host
        port = host.partition("]")[2].lstrip(":") if host.startswith("[") else host.partition(":")[2]
        if not port:
            return None
        if not port.isdigit():
            raise ValueError("Port could not be cast to integer value as %r" % port)
        if int(port) > 65535:
            raise ValueError("Port out of range 0-65535")
        return int(port)

    def geturl(self):
        return urlunsplit(self) if len(self) == 5 else urlunparse(self)


class SplitResult(_namedtuple("SplitResult", "scheme netloc path query fragment"), _Netloc):
    pass


class ParseResult(_namedtuple("ParseResult", "scheme netloc path params query fragment"), _Netloc):
    pass


class DefragResult(_namedtuple("DefragResult", "url fragment")):
    def geturl(self):
        return self.url + ("#" + self.fragment if self.fragment else "")


def urlsplit(url, scheme="", allow_fragments=True):
    netloc = query = fragment = ""
    url = url.lstrip().replace("\n", "").replace("\r", "").replace("\t", "")
    i = url.find(":")
    if i > 0 and url[0].isalpha() and _scheme_letters.issuperset(url[:i]):
        scheme, url = url[:i].lower(), url[i + 1:]
    if url.startswith("//"):
        end = min([at for at in (url.find(c, 2) for c in "/?#") if at >= 0] or [len(url)])
        netloc, url = url[2:end], url[end:]
        if ("[" in netloc) != ("]" in netloc):
            raise ValueError("Invalid IPv6 URL")
    if allow_fragments:
        url, _, fragment = url.partition("#")
    url, _, query = url.partition("?")
    return SplitResult(scheme, netloc, url, query, fragment)


def urlparse(url, scheme="", allow_fragments=True):
    scheme, netloc, path, query, fragment = urlsplit(url, scheme, allow_fragments)
    params = ""
    if scheme in _with_params and ";" in path:
        at = path.find(";", path.rfind("/") + 1)
        if at >= 0:
            path, params = path[:at], path[at + 1:]
    return ParseResult(scheme, netloc, path, params, query, fragment)


def urlunsplit(parts):
    scheme, netloc, url, query, fragment = parts
    if netloc or (scheme and scheme in _with_netloc and url[:2] != "//"):
        if url and url[0] != "/":
            url = "/" + url
        url = "//" + netloc + url
    if scheme:
        url = scheme + ":" + url
    return url + ("?" + query if query else "") + ("#" + fragment if fragment else "")


def urlunparse(parts):
    scheme, netloc, url, params, query, fragment = parts
    return urlunsplit((scheme, netloc, url + (";" + params if params else ""), query, fragment))


def urldefrag(url):
    if "#" not in url:
        return DefragResult(url, "")
    parts = urlparse(url)
    return DefragResult(urlunparse(parts._replace(fragment="")), parts.fragment)


def _joined(base, path):
    """The segments of a path as it is seen from a base: all up to the base's last slash goes before it. A base
    that is empty, a host's root, counts as one slash; of several slashes in a row one stays."""
    if path.startswith("/"):
        return path.split("/")
    before = base.split("/")
    if before[-1]:
        before.pop()
    first, *others = before + path.split("/")
    return [first, *filter(None, others[:-1]), *others[-1:]]


def _resolved(segments):
    kept = []
    for segment in segments:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept) or "/"


def urljoin(base, url, allow_fragments=True):
    if not base or not url:
        return base or url
    b = urlparse(base, "", allow_fragments)
    u = urlparse(url, b.scheme, allow_fragments)
    if u.scheme != b.scheme or u.scheme not in _relative:
        return url
    if u.scheme in _with_netloc:
        if u.netloc:
            return urlunparse(u)
        u = u._replace(netloc=b.netloc)
    if not u.path and not u.params:
        return urlunparse(u._replace(path=b.path, params=b.params, query=u.query or b.query))
    return urlunparse(u._replace(path=_resolved(_joined(b.path, u.path))))


def quote_from_bytes(bs, safe="/"):
    kept = _always.union(safe)
    return "".join([chr(b) if chr(b) in kept else "%%%02X" % b for b in bs])


def quote(string, safe="/", encoding=None, errors=None):
    if isinstance(string, str):
        string = string.encode(encoding or "utf-8", errors or "strict")
    return quote_from_bytes(string, safe)


def quote_plus(string, safe="", encoding=None, errors=None):
    return quote(string, safe + " ", encoding, errors).replace(" ", "+")


def unquote_to_bytes(string):
    data = string.encode() if isinstance(string, str) else string
    parts = data.split(b"%")
    out = parts[0]
    for part in parts[1:]:
        if len(part) > 1 and _hex_digits.issuperset(part[:2]):
            out += bytes([int(part[:2], 16)]) + part[2:]
        else:
            out += b"%" + part
    return out


def unquote(string, encoding="utf-8", errors="replace"):
    if isinstance(string, str) and "%" not in string:
        return string
    return unquote_to_bytes(string).decode(encoding, errors)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    return unquote(string.replace("+", " "), encoding, errors)


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace",
              max_num_fields=None, separator="&"):
    pairs = []
    if not qs:
        return pairs
    if max_num_fields is not None and qs.count(separator) >= max_num_fields:
        raise ValueError("Max number of fields exceeded")
    for field in qs.split(separator):
        name, equals, value = field.partition("=")
        if not equals and strict_parsing:
            raise ValueError("bad query field: %r" % field)
        if field and (value or keep_blank_values):
            pairs.append((unquote_plus(name, encoding, errors), unquote_plus(value, encoding, errors)))
    return pairs


def parse_qs(qs, keep_blank_values=False, **others):
    found = {}
    for name, value in parse_qsl(qs, keep_blank_values, **others):
        found.setdefault(name, []).append(value)
    return found


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    def quoted(item):
        return quote_via(item if isinstance(item, bytes) else str(item), safe)

    pairs = []
    for name, value in query.items() if hasattr(query, "items") else query:
        if doseq and not isinstance(value, (str, bytes)) and hasattr(value, "__iter__"):
            pairs += [quoted(name) + "=" + quoted(item) for item in value]
        else:
            pairs.append(quoted(name) + "=" + quoted(value))
    return "&".join(pairs)
