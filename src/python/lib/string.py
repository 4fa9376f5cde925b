# SPDX-License-Identifier: MIT
# string.

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


class Template:
    delimiter = "$"

    def __init__(self, template):
        self.template = template

    def _name(self, text, at):
        end = at
        while end < len(text) and (text[end] == "_" or text[end] in ascii_letters
                                   or (end > at and text[end] in digits)):
            end += 1
        return text[at:end]

    def _parts(self):
        """Pairs (text before, name or None, as written, where)."""
        text, at, start = self.template, 0, 0
        mark = self.delimiter
        while True:
            at = text.find(mark, start)
            if at < 0:
                yield text[start:], None, "", 0
                return
            after = at + len(mark)
            if text.startswith(mark, after):
                yield text[start:after], None, "", 0
                start = after + len(mark)
                continue
            braced = text.startswith("{", after)
            name = self._name(text, after + braced)
            end = after + braced + len(name)
            if not name or (braced and not text.startswith("}", end)):
                yield text[start:at], "", mark, at
                start = after
                continue
            end += braced
            yield text[start:at], name, text[at:end], at
            start = end

    def _mapped(self, mapping, kws, strict):
        out = ""
        for before, name, written, at in self._parts():
            out += before
            if name is None:
                continue
            if name == "" and strict:
                lines = self.template[:at].splitlines(keepends=True)
                column = at - len("".join(lines[:-1])) + 1 if lines else 1
                raise ValueError("Invalid placeholder in string: line %d, col %d" % (max(len(lines), 1), column))
            if name in kws:
                out += str(kws[name])
            elif name and (strict or name in mapping):
                out += str(mapping[name])
            else:
                out += written
        return out

    def substitute(self, mapping={}, /, **kws):
        return self._mapped(mapping, kws, True)

    def safe_substitute(self, mapping={}, /, **kws):
        return self._mapped(mapping, kws, False)


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        return format_string.format(*args, **kwargs)
