# SPDX-License-Identifier: MIT
# csv: dialects, rows as dicts, and guessing a dialect; rows and lines are made in C (_csv).
import _csv
from _csv import Error

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE, QUOTE_STRINGS, QUOTE_NOTNULL = range(6)
_limit = 131072

# ---- dialects ----


class Dialect:
    delimiter = None
    quotechar = None
    escapechar = None
    doublequote = None
    skipinitialspace = None
    lineterminator = None
    quoting = None

    def __init__(self):
        try:
            _params(self, {})
        except TypeError as error:
            raise Error(str(error)) from None


class excel(Dialect):
    delimiter = ","
    quotechar = '"'
    doublequote = True
    skipinitialspace = False
    lineterminator = "\r\n"
    quoting = QUOTE_MINIMAL


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(Dialect):
    delimiter = ","
    quotechar = '"'
    doublequote = True
    skipinitialspace = False
    lineterminator = "\n"
    quoting = QUOTE_ALL


_defaults = {
    "delimiter": ",", "quotechar": '"', "escapechar": None, "doublequote": True, "skipinitialspace": False,
    "lineterminator": "\r\n", "quoting": QUOTE_MINIMAL, "strict": False,
}


def _character(name, value, optional):
    if value is None and optional:
        return None
    if not isinstance(value, str):
        wanted = "string or None" if optional else "string"
        raise TypeError('"%s" must be %s, not %s' % (name, wanted, type(value).__name__))
    if len(value) != 1:
        raise TypeError('"%s" must be a 1-character string' % name)
    return value


def _params(dialect, options):
    """The eight parameters of a dialect with options, checked."""
    for name in options:
        if name not in _defaults:
            raise TypeError("'%s' is an invalid keyword argument for this function" % name)
    p = {name: options[name] if name in options else getattr(dialect, name, default)
         for name, default in _defaults.items()}
    if p["quotechar"] is None and "quoting" not in options and not hasattr(dialect, "quoting"):
        p["quoting"] = QUOTE_NONE
    delimiter = _character("delimiter", p["delimiter"], False)
    escapechar = _character("escapechar", p["escapechar"], True)
    quotechar = _character("quotechar", p["quotechar"], True)
    end = p["lineterminator"]
    if not isinstance(end, str) and end is not None:
        raise TypeError('"lineterminator" must be a string')
    quoting = p["quoting"]
    if not isinstance(quoting, int) or isinstance(quoting, bool):
        raise TypeError('"quoting" must be an integer')
    if not QUOTE_MINIMAL <= quoting <= QUOTE_NOTNULL:
        raise TypeError('bad "quoting" value')
    if quoting != QUOTE_NONE and quotechar is None:
        raise TypeError("quotechar must be set if quoting enabled")
    if end is None:
        raise TypeError("lineterminator must be set")
    return (delimiter, quotechar, escapechar, bool(p["doublequote"]), bool(p["skipinitialspace"]), end, int(quoting),
            bool(p["strict"]))


class _Checked:
    """A dialect as readers and writers show it."""

    def __init__(self, params):
        for name, value in zip(_defaults, params):
            setattr(self, name, value)


_dialects = {}


def _known(dialect):
    if dialect is None:
        return None
    return get_dialect(dialect) if isinstance(dialect, str) else dialect


def _checked(dialect, options):
    params = _params(_known(dialect), options)
    return _Checked(params), params


def register_dialect(name, dialect=None, **fmtparams):
    if not isinstance(name, str):
        raise TypeError("dialect name must be a string")
    _dialects[name] = _checked(dialect, fmtparams)[0]


def unregister_dialect(name):
    get_dialect(name)
    del _dialects[name]


def get_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    return _dialects[name]


def list_dialects():
    return list(_dialects)


register_dialect("excel", excel)
register_dialect("excel-tab", excel_tab)
register_dialect("unix", unix_dialect)


def field_size_limit(limit=None):
    global _limit
    before = _limit
    if limit is not None:
        if not isinstance(limit, int):
            raise TypeError("limit must be an integer")
        _limit = limit
    return before


# ---- rows ----


def reader(csvfile, dialect=None, **fmtparams):
    made, params = _checked(dialect, fmtparams)
    return _csv.reader(csvfile, made, params, _limit)


def writer(csvfile, dialect=None, **fmtparams):
    write = getattr(csvfile, "write", None)
    if not callable(write):
        raise TypeError('argument 1 must have a "write" method')
    made, params = _checked(dialect, fmtparams)
    return _csv.writer(write, made, params)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self._fieldnames = fieldnames
        self.restkey, self.restval = restkey, restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect
        self.line_num = 0

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            self._fieldnames = next(self.reader, None)
            self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        if self.line_num == 0:
            self.fieldnames
        names = self._fieldnames
        row = next(self.reader)
        while row == []:
            row = next(self.reader)
        self.line_num = self.reader.line_num
        made = dict(zip(names, row))
        if len(names) < len(row):
            made[self.restkey] = row[len(names):]
        elif len(names) > len(row):
            for name in names[len(row):]:
                made[name] = self.restval
        return made


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self.fieldnames = fieldnames
        self.restval = restval
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError("extrasaction (%s) must be 'raise' or 'ignore'" % extrasaction)
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writer.writerow(self.fieldnames)

    def _row(self, rowdict):
        if self.extrasaction == "raise":
            wrong = [key for key in rowdict if key not in self.fieldnames]
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: " + ", ".join(map(repr, wrong)))
        return [rowdict.get(key, self.restval) for key in self.fieldnames]

    def writerow(self, rowdict):
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        return self.writer.writerows(map(self._row, rowdicts))


# ---- guessing ----


class Sniffer:
    """Guesses by a measure of its own: the delimiter that splits all lines into the same number of fields, the
    more the better."""

    def __init__(self):
        self.preferred = [",", "\t", ";", " ", ":"]

    def _quote(self, sample):
        return max(('"', "'"), key=lambda c: (sample.count(c) // 2 * 2, c == '"')) if "'" in sample else '"'

    def _fields(self, lines, delimiter, quote):
        try:
            rows = list(reader(lines, delimiter=delimiter, quotechar=quote, skipinitialspace=delimiter != " "))
        except Error:
            return 0
        counts = {len(row) for row in rows if row}
        return counts.pop() if len(counts) == 1 else 0

    def sniff(self, sample, delimiters=None):
        lines = [line for line in sample.splitlines(keepends=True) if line.strip()]
        if len(lines) > 1 and not sample.endswith(("\n", "\r")):
            lines.pop()
        quote = self._quote(sample)
        asked = delimiters or self.preferred + ["|"]
        others = [] if delimiters else sorted({c for c in sample if not c.isalnum() and c not in "\r\n\"'_.-"})
        best, most = None, 1
        for c in [*asked, *others]:
            fields = self._fields(lines, c, quote)
            if fields > most:
                best, most = c, fields
        if best is None:
            raise Error("Could not determine delimiter")

        class dialect(Dialect):
            _name = "sniffed"
            lineterminator = "\r\n"
            quoting = QUOTE_MINIMAL

        dialect.delimiter = best
        dialect.quotechar = quote
        dialect.doublequote = quote * 2 in sample.replace(best + quote * 2 + best, "")
        dialect.skipinitialspace = best != " " and all(line.count(best) == line.count(best + " ") for line in lines)
        return dialect

    def has_header(self, sample):
        rows = reader(sample.splitlines(keepends=True), self.sniff(sample))
        header = next(rows)
        kinds = [None] * len(header)
        for row in [row for row in rows if len(row) == len(header)][:20]:
            for i, field in enumerate(row):
                kind = self._kind(field)
                kinds[i] = kind if kinds[i] in (None, kind) else False
        votes = 0
        for kind, field in zip(kinds, header):
            if kind:
                votes += 1 if self._kind(field) != kind else -1
        return votes > 0

    def _kind(self, field):
        try:
            complex(field)
        except ValueError:
            return len(field) + 1
        return complex
