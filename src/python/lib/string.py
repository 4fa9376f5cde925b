# SPDX-License-Identifier: MIT
# string: constants, Template, Formatter.
import re as _re

whitespace = " \t\n\r\v\f"
ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdef" + "ABCDEF"
octdigits = "01234567"
punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or " ").join(word.capitalize() for word in s.split(sep))


# ---- Template ----


class Template:
    delimiter = "$"
    idpattern = "[_a-zA-Z][_a-zA-Z0-9]*"
    braceidpattern = None
    flags = _re.IGNORECASE

    def __init_subclass__(cls):
        super().__init_subclass__()
        if "pattern" in cls.__dict__:
            cls.pattern = _re.compile(cls.pattern, cls.flags | _re.VERBOSE)
        else:
            cls.pattern = cls._compiled()

    @classmethod
    def _compiled(cls):
        mark = _re.escape(cls.delimiter)
        return _re.compile("%s(?:(?P<escaped>%s)|(?P<named>%s)|[{](?P<braced>%s)[}]|(?P<invalid>))"
                           % (mark, mark, cls.idpattern, cls.braceidpattern or cls.idpattern), cls.flags)

    def __init__(self, template):
        self.template = template

    def _complain(self, found):
        before = self.template[:found.start("invalid")]
        lines = before.splitlines(keepends=True)
        row = max(len(lines), 1)
        column = len(before) - len("".join(lines[:-1]))
        raise ValueError("Invalid placeholder in string: line %d, col %d" % (row, max(column, 1)))

    def _filled(self, mapping, kws, strict):
        def fill(found):
            name = found.group("named") or found.group("braced")
            if name is not None:
                if name in kws:
                    return str(kws[name])
                try:
                    return str(mapping[name])
                except KeyError:
                    if strict:
                        raise
                    return found.group()
            if found.group("escaped") is not None:
                return self.delimiter
            if strict:
                self._complain(found)
            return found.group()

        return self.pattern.sub(fill, self.template)

    def substitute(self, mapping={}, /, **kws):
        return self._filled(mapping, kws, True)

    def safe_substitute(self, mapping={}, /, **kws):
        return self._filled(mapping, kws, False)

    def is_valid(self):
        return all(found.group("invalid") is None for found in self.pattern.finditer(self.template))

    def get_identifiers(self):
        names = [found.group("named") or found.group("braced") for found in self.pattern.finditer(self.template)]
        return list(dict.fromkeys(name for name in names if name is not None))


Template.pattern = Template._compiled()


# ---- Formatter ----


def _field(text, at):
    """name, format, conversion of the field that begins at `at`, and where the text goes on."""
    start, bracket = at, False
    while at < len(text) and (bracket or text[at] not in "}:!"):
        if text[at] == "{":
            raise ValueError("unexpected '{' in field name")
        bracket = text[at] == "[" or (bracket and text[at] != "]")
        at += 1
    if at == len(text):
        raise ValueError("expected '}' before end of string")
    name, mark, conversion = text[start:at], text[at], None
    at += 1
    if mark == "!":
        if at == len(text):
            raise ValueError("end of string while looking for conversion specifier")
        conversion, mark = text[at], text[at + 1:at + 2]
        at += 2
        if mark not in ("", "}", ":"):
            raise ValueError("expected ':' after conversion specifier")
    if mark == "}":
        return name, "", conversion, at
    start, depth = at, 1
    while at < len(text):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return name, text[start:at], conversion, at + 1
        at += 1
    raise ValueError("unmatched '{' in format spec")


def _split_name(name):
    """The first part, and (is attribute, key) of each further one."""
    at = 0
    while at < len(name) and name[at] not in ".[":
        at += 1
    first, parts = name[:at], []
    while at < len(name):
        if name[at] == ".":
            end = at + 1
            while end < len(name) and name[end] not in ".[":
                end += 1
            key = name[at + 1:end]
            parts.append((True, key))
        elif name[at] == "[":
            end = name.find("]", at)
            if end < 0:
                raise ValueError("Missing ']' in format string")
            key = name[at + 1:end]
            parts.append((False, int(key) if key.isdigit() else key))
            end += 1
        else:
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
        if not key:
            raise ValueError("Empty attribute in format string")
        at = end
    return int(first) if first.isdigit() else first, parts


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        used = set()
        text, _ = self._vformat(format_string, args, kwargs, used, 2, 0)
        self.check_unused_args(used, args, kwargs)
        return text

    def _vformat(self, format_string, args, kwargs, used_args, recursion_depth, auto_arg_index=0):
        if recursion_depth < 0:
            raise ValueError("Max string recursion exceeded")
        out = []
        for literal, name, spec, conversion in self.parse(format_string):
            if literal:
                out.append(literal)
            if name is None:
                continue
            name, auto_arg_index = self._number(name, auto_arg_index)
            obj, first = self.get_field(name, args, kwargs)
            used_args.add(first)
            obj = self.convert_field(obj, conversion)
            spec, auto_arg_index = self._vformat(spec, args, kwargs, used_args, recursion_depth - 1, auto_arg_index)
            out.append(self.format_field(obj, spec))
        return "".join(out), auto_arg_index

    def _number(self, name, auto):
        """The name with its number, and the next one; False once numbers were written out."""
        if name == "" and auto is not False:
            return str(auto), auto + 1
        if name == "" or (name.isdigit() and auto):
            raise ValueError("cannot switch from manual field specification to automatic field numbering")
        return name, False if name.isdigit() else auto

    def parse(self, format_string):
        text, at = format_string, 0
        while at < len(text):
            start = at
            while at < len(text) and text[at] not in "{}":
                at += 1
            if at == len(text):
                yield text[start:], None, None, None
            elif text[at:at + 2] == text[at] * 2:
                yield text[start:at + 1], None, None, None
                at += 2
            elif text[at] == "}" or at + 1 == len(text):
                raise ValueError("Single '%s' encountered in format string" % text[at])
            else:
                literal = text[start:at]
                name, spec, conversion, at = _field(text, at + 1)
                yield literal, name, spec, conversion

    def get_field(self, field_name, args, kwargs):
        first, parts = _split_name(field_name)
        obj = self.get_value(first, args, kwargs)
        for is_attribute, key in parts:
            obj = getattr(obj, key) if is_attribute else obj[key]
        return obj, first

    def get_value(self, key, args, kwargs):
        return args[key] if isinstance(key, int) else kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        how = {"s": str, "r": repr, "a": ascii}.get(conversion)
        if how is None:
            raise ValueError("Unknown conversion specifier " + conversion)
        return how(value)
