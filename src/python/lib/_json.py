# SPDX-License-Identifier: MIT
# json: the classes around the reader and the writer in C.


class JSONDecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        self.msg = msg
        self.doc = doc
        self.pos = pos
        self.lineno = doc.count("\n", 0, pos) + 1
        self.colno = pos - doc.rfind("\n", 0, pos)
        super().__init__(f"{msg}: line {self.lineno} column {self.colno} (char {pos})")


class JSONEncoder:
    item_separator = ", "
    key_separator = ": "

    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False,
                 indent=None, separators=None, default=None):
        self.skipkeys = skipkeys
        self.ensure_ascii = ensure_ascii
        self.check_circular = check_circular
        self.allow_nan = allow_nan
        self.sort_keys = sort_keys
        self.indent = indent
        if separators is not None:
            self.item_separator, self.key_separator = separators
        elif indent is not None:
            self.item_separator = ","
        if default is not None:
            self.default = default

    def default(self, o):
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o):
        return dumps(o, skipkeys=self.skipkeys, ensure_ascii=self.ensure_ascii, allow_nan=self.allow_nan,
                     indent=self.indent, separators=(self.item_separator, self.key_separator), default=self.default,
                     sort_keys=self.sort_keys)

    def iterencode(self, o, _one_shot=False):
        yield self.encode(o)


class JSONDecoder:
    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, strict=True,
                 object_pairs_hook=None):
        self.object_hook = object_hook
        self.parse_float = parse_float
        self.parse_int = parse_int
        self.parse_constant = parse_constant
        self.strict = strict
        self.object_pairs_hook = object_pairs_hook

    def _options(self):
        return {"object_hook": self.object_hook, "parse_float": self.parse_float, "parse_int": self.parse_int,
                "parse_constant": self.parse_constant, "object_pairs_hook": self.object_pairs_hook,
                "strict": self.strict}

    def decode(self, s):
        return loads(s, **self._options())

    def raw_decode(self, s, idx=0):
        return _scan(s, idx, **self._options())


class decoder:
    JSONDecodeError, JSONDecoder = JSONDecodeError, JSONDecoder


class encoder:
    JSONEncoder = JSONEncoder
