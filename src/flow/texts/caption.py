# SPDX-License-Identifier: MIT
# Captions of reports are templates: {{ expression | filter }}, {% for %}, {% if %}, {% set %}, {# comments #} of
# Jinja. Expressions are Python's, in which `a.b` also finds the item "b" of a mapping and a name that is not known is
# empty. This file is run by the engine's own evaluator.
import re


class _Map(dict):
    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)


def _open(value):
    if isinstance(value, dict):
        return _Map((key, _open(item)) for key, item in value.items())
    if type(value) is list:
        return [_open(item) for item in value]
    return value


class _Undefined:
    def __str__(self):
        return ""

    def __bool__(self):
        return False

    def __iter__(self):
        return iter([])

    def __len__(self):
        return 0


_undefined = _Undefined()


class _Job:
    """What a caption sees as `snakemake`."""

    def __init__(self, **parts):
        for name, value in parts.items():
            setattr(self, name, value)


def _join(items, separator="", attribute=None):
    return separator.join(str(getattr(item, attribute) if attribute else item) for item in items)


def _default(value, otherwise="", falsy=False):
    return otherwise if value is _undefined or (falsy and not value) else value


def _replace(text, old, new, count=-1):
    return str(text).replace(old, new, count)


def _escape(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;")


def _urlencode(text):
    import urllib.parse

    return urllib.parse.quote(str(text))


def _round(number, digits=0):
    return round(float(number), digits)


def _unique(items):
    return list(dict.fromkeys(items))


_filters = {
    "abs": abs,
    "capitalize": lambda text: str(text).capitalize(),
    "count": len,
    "d": _default,
    "default": _default,
    "dictsort": lambda mapping: sorted(mapping.items()),
    "e": _escape,
    "escape": _escape,
    "first": lambda items: next(iter(items)),
    "float": float,
    "format": lambda text, *values: text % values,
    "int": int,
    "items": lambda mapping: list(mapping.items()),
    "join": _join,
    "last": lambda items: list(items)[-1],
    "length": len,
    "list": list,
    "lower": lambda text: str(text).lower(),
    "max": max,
    "min": min,
    "replace": _replace,
    "reverse": lambda items: items[::-1],
    "round": _round,
    "safe": lambda text: text,
    "sort": sorted,
    "string": str,
    "sum": sum,
    "title": lambda text: str(text).title(),
    "trim": lambda text: str(text).strip(),
    "unique": _unique,
    "upper": lambda text: str(text).upper(),
    "urlencode": _urlencode,
}


def _parts(text, mark):
    """The text cut at a character outside of brackets and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(text):
        if quote:
            if c == quote and text[i - 1] != "\\":
                quote = ""
        elif c in "'\"":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == mark and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return parts + [text[start:]]


def _value(text, names):
    try:
        return eval(text.strip(), {}, names)
    except (NameError, KeyError, AttributeError):
        return _undefined


def _evaluate(text, names):
    defined = re.fullmatch(r"\s*(.+?)\s+is\s+(not\s+)?(defined|undefined|none)\s*", text)
    if defined:
        value = _value(defined.group(1), names)
        found = value is None if defined.group(3) == "none" else value is not _undefined
        return found != bool(defined.group(2)) if defined.group(3) != "undefined" else found == bool(defined.group(2))
    joined = _parts(text, "~")
    if len(joined) > 1:
        return "".join(str(_evaluate(part, names)) for part in joined)
    parts = _parts(text, "|")
    value = _value(parts[0], names)
    for part in parts[1:]:
        name, bracket, arguments = part.strip().partition("(")
        if name.strip() not in _filters:
            raise ValueError(f"the filter '{name.strip()}' is not known in captions")
        call = "_filter(_it" + (", " + arguments if bracket and arguments.strip() != ")" else ")")
        value = eval(call, {}, {**names, "_filter": _filters[name.strip()], "_it": value})
    return value


def _pieces(text):
    """Texts and tags in turn; as Jinja's trim_blocks and lstrip_blocks have it, a block's line goes with it."""
    text = re.sub(r"(?m)^[ \t]*(\{[%#])", r"\1", text)
    text = re.sub(r"([%#]\})\n", r"\1", text)
    text = re.sub(r"\s*(\{[{%#])-", r"\1", text)
    text = re.sub(r"-([}%#]\})\s*", r"\1", text)
    return re.split(r"(\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\})", text, flags=re.DOTALL)


class _Template:
    def __init__(self, text):
        self.pieces = _pieces(text)
        self.at = 0

    def skip(self, ends):
        """Passes over a body; the tag that ended it."""
        return self.body({}, ends, None)

    def tag(self):
        """The statement of the next block tag, or None at the end; texts before it are passed to `out`."""
        piece = self.pieces[self.at]
        self.at += 1
        return piece

    def body(self, names, ends, out):
        while self.at < len(self.pieces):
            piece = self.tag()
            if piece.startswith("{{"):
                if out is not None:
                    out.append(str(_evaluate(piece[2:-2], names)))
            elif piece.startswith("{%"):
                words = piece[2:-2].strip()
                first = words.split(None, 1)[0] if words else ""
                if first in ends:
                    return words
                self.statement(first, words, names, out)
            elif not piece.startswith("{#") and out is not None:
                out.append(piece)
        if ends:
            raise ValueError(f"{ends[-1]} is missing at the end of the caption")
        return ""

    def statement(self, first, words, names, out):
        if first == "if":
            self.choose(words, names, out)
        elif first == "for":
            self.repeat(words, names, out)
        elif first == "set":
            name, equals, text = words[3:].partition("=")
            if out is not None:
                names[name.strip()] = _evaluate(text, names)
        else:
            raise ValueError(f"the statement '{first}' is not known in captions")

    def choose(self, words, names, out):
        done = False
        while True:
            first, _, condition = words.partition(" ")
            if first == "endif":
                return
            here = out is not None and not done and (first == "else" or bool(_evaluate(condition, names)))
            done = done or here
            words = self.body(names, ["elif", "else", "endif"], out if here else None)

    def repeat(self, words, names, out):
        found = re.fullmatch(r"for\s+(.+?)\s+in\s+(.+)", words, flags=re.DOTALL)
        if not found:
            raise ValueError(f"'{words}' is no loop")
        targets = [name.strip() for name in found.group(1).strip("()").split(",")]
        items = list(_evaluate(found.group(2), names)) if out is not None else []
        start = self.at
        for i, item in enumerate(items):
            self.at = start
            inner = dict(names)
            for name, value in zip(targets, [item] if len(targets) == 1 else item):
                inner[name] = value
            inner["loop"] = _Map(index=i + 1, index0=i, first=i == 0, last=i + 1 == len(items), length=len(items))
            end = self.body(inner, ["else", "endfor"], out)
        if not items:
            end = self.skip(["else", "endfor"])
        if end == "else":
            self.body(names, ["endfor"], None if items else out)


def render(text, path, **parts):
    if "config" in parts:
        parts["config"] = _open(parts["config"])
    out = []
    try:
        _Template(text).body({"snakemake": _Job(**parts)}, [], out)
    except Exception as error:
        kind = "" if type(error) is ValueError else f"{type(error).__name__}: "
        raise ValueError(f"{path}: {kind}{error}") from None
    return "".join(out)
