# SPDX-License-Identifier: MIT
# csv.

QUOTE_MINIMAL = 0
QUOTE_ALL = 1
QUOTE_NONNUMERIC = 2
QUOTE_NONE = 3


class Error(Exception):
    pass


class Dialect:
    delimiter = ","
    quotechar = '"'
    escapechar = None
    doublequote = True
    skipinitialspace = False
    lineterminator = "\r\n"
    quoting = QUOTE_MINIMAL
    strict = False


class excel(Dialect):
    pass


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(Dialect):
    quoting = QUOTE_ALL
    lineterminator = "\n"


_dialects = {"excel": excel, "excel-tab": excel_tab, "unix": unix_dialect}


def register_dialect(name, dialect=None, **fmtparams):
    _dialects[name] = _made(dialect or excel, fmtparams)


def unregister_dialect(name):
    get_dialect(name)
    del _dialects[name]


def get_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    return _dialects[name]


def list_dialects():
    return list(_dialects)


def field_size_limit(limit=None):
    return 131072


def _made(dialect, options):
    made = Dialect()
    source = get_dialect(dialect) if isinstance(dialect, str) else dialect
    for name in ("delimiter", "quotechar", "escapechar", "doublequote", "skipinitialspace", "lineterminator",
                 "quoting", "strict"):
        setattr(made, name, options.pop(name, getattr(source, name, getattr(Dialect, name))))
    if options:
        raise TypeError("'%s' is an invalid keyword argument for this function" % next(iter(options)))
    if not isinstance(made.delimiter, str):
        raise TypeError('"delimiter" must be string, not %s' % type(made.delimiter).__name__)
    if len(made.delimiter) != 1:
        raise TypeError('"delimiter" must be a 1-character string')
    if made.quotechar is None and made.quoting != QUOTE_NONE:
        raise TypeError("quotechar must be set if quoting enabled")
    return made


class reader:
    def __init__(self, csvfile, dialect="excel", **fmtparams):
        self.dialect = _made(dialect, fmtparams)
        self.line_num = 0
        self._lines = iter(csvfile)

    def __iter__(self):
        return self

    def _line(self):
        line = next(self._lines)
        if not isinstance(line, str):
            raise Error("iterator should return strings, not %s (the file should be opened in text mode)"
                        % type(line).__name__)
        self.line_num += 1
        return line

    def __next__(self):
        d = self.dialect
        line = self._line()
        text = line.rstrip("\r\n")
        if not text:
            return []
        if (d.quoting == QUOTE_NONE or d.quotechar not in text) and not d.escapechar and not d.skipinitialspace:
            row = text.split(d.delimiter)
            return [float(x) for x in row] if d.quoting == QUOTE_NONNUMERIC else row
        return self._careful(line)

    def _careful(self, line):
        d = self.dialect
        row, field, quoted, was_quoted, i = [], "", False, False, 0
        start = True
        while True:
            if i >= len(line):
                if not quoted:
                    break
                try:
                    line, i = self._line(), 0
                except StopIteration:
                    if d.strict:
                        raise Error("unexpected end of data")
                    break
                continue
            c = line[i]
            i += 1
            if d.escapechar and c == d.escapechar:
                field += line[i:i + 1] or "\n"
                i += 1
                start = False
            elif quoted:
                if c != d.quotechar:
                    field += c
                elif d.doublequote and line[i:i + 1] == d.quotechar:
                    field += c
                    i += 1
                else:
                    quoted = False
                    after = line[i:i + 1]
                    if d.strict and after not in ("", "\r", "\n", d.delimiter):
                        raise Error("'%s' expected after '%s'" % (d.delimiter, d.quotechar))
            elif c == d.delimiter:
                row.append(self._typed(field, was_quoted))
                field, was_quoted, start = "", False, True
            elif c in "\r\n":
                break
            elif start and c == d.quotechar and d.quoting != QUOTE_NONE:
                quoted = was_quoted = True
                start = False
            elif not (start and c == " " and d.skipinitialspace):
                field += c
                start = False
        row.append(self._typed(field, was_quoted))
        return row

    def _typed(self, field, was_quoted):
        return float(field) if self.dialect.quoting == QUOTE_NONNUMERIC and not was_quoted else field


class writer:
    def __init__(self, csvfile, dialect="excel", **fmtparams):
        self.dialect = _made(dialect, fmtparams)
        self._write = csvfile.write

    def _field(self, value, alone):
        d = self.dialect
        text = "" if value is None else repr(value) if type(value) is float else str(value)
        number = isinstance(value, (int, float))
        special = any(c in text for c in (d.delimiter, d.quotechar or "\0", "\n", "\r")) or (
            d.escapechar and d.escapechar in text)
        if d.quoting == QUOTE_NONE:
            if special:
                if not d.escapechar:
                    raise Error("need to escape, but no escapechar set")
                for c in (d.escapechar, d.delimiter, d.quotechar or "", "\r", "\n"):
                    if c:
                        text = text.replace(c, d.escapechar + c)
            elif alone and not text:
                raise Error("single empty field record must be quoted")
            return text
        if d.quoting == QUOTE_ALL or (d.quoting == QUOTE_NONNUMERIC and not number) or special or (alone and not text):
            if d.doublequote:
                text = text.replace(d.quotechar, d.quotechar * 2)
            elif d.escapechar:
                text = text.replace(d.escapechar, d.escapechar * 2).replace(d.quotechar, d.escapechar + d.quotechar)
            elif d.quotechar in text:
                raise Error("need to escape, but no escapechar set")
            return d.quotechar + text + d.quotechar
        return text

    def writerow(self, row):
        try:
            row = list(row)
        except TypeError:
            raise Error("iterable expected, not %s" % type(row).__name__) from None
        alone = len(row) == 1
        return self._write(self.dialect.delimiter.join([self._field(value, alone) for value in row])
                           + self.dialect.lineterminator)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds):
        self._fieldnames = list(fieldnames) if fieldnames is not None else None
        self.restkey, self.restval = restkey, restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect

    def __iter__(self):
        return self

    @property
    def line_num(self):
        return self.reader.line_num

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            try:
                self._fieldnames = next(self.reader)
            except StopIteration:
                pass
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        names = self.fieldnames
        row = next(self.reader)
        while row == []:
            row = next(self.reader)
        made = dict(zip(names, row))
        if len(names) < len(row):
            made[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            made[name] = self.restval
        return made


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds):
        self.fieldnames = list(fieldnames)
        self.restval = restval
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError("extrasaction (%s) must be 'raise' or 'ignore'" % extrasaction)
        self.extrasaction = extrasaction.lower()
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
        for rowdict in rowdicts:
            self.writerow(rowdict)
