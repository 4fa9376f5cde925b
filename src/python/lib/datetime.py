# SPDX-License-Identifier: MIT
# datetime.
from _imp import instance_here as isinstance
import time as _time

MINYEAR = 1
MAXYEAR = 9999
_days_before = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
_month_names = ["", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_day_names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def _leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year, month):
    if month == 2:
        return 29 if _leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _ordinal(year, month, day):
    before = year - 1
    return (before * 365 + before // 4 - before // 100 + before // 400 + _days_before[month]
            + (month > 2 and _leap(year)) + day)


def _from_ordinal(n):
    n -= 1
    n400, n = divmod(n, 146097)
    n100, n = divmod(n, 36524)
    n4, n = divmod(n, 1461)
    n1, n = divmod(n, 365)
    year = n400 * 400 + n100 * 100 + n4 * 4 + n1 + 1
    if n1 == 4 or n100 == 4:
        return year - 1, 12, 31
    month = 12
    while _days_before[month] + (month > 2 and _leap(year)) > n:
        month -= 1
    return year, month, n - _days_before[month] - (month > 2 and _leap(year)) + 1


def _whole(value):
    if isinstance(value, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    return value.__index__()


def _check_date(year, month, day):
    year, month, day = _whole(year), _whole(month), _whole(day)
    if not 1 <= year <= 9999:
        raise ValueError("year %d is out of range" % year)
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= _days_in(year, month):
        raise ValueError("day is out of range for month")


def _check_time(hour, minute, second, microsecond):
    for value, name, most in ((hour, "hour", 23), (minute, "minute", 59), (second, "second", 59),
                              (microsecond, "microsecond", 999999)):
        if not 0 <= _whole(value) <= most:
            raise ValueError("%s must be in 0..%d" % (name, most))


class timedelta:
    __slots__ = ("days", "seconds", "microseconds")

    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        days += weeks * 7
        seconds += minutes * 60 + hours * 3600
        microseconds += milliseconds * 1000
        micro = 0
        if isinstance(days, float):
            whole = int(days)
            seconds += (days - whole) * 86400
            days = whole
        if isinstance(seconds, float):
            whole = int(seconds)
            microseconds += (seconds - whole) * 1000000
            seconds = whole
        micro = round(microseconds)
        carry, micro = divmod(micro, 1000000)
        carry, seconds = divmod(seconds + carry, 86400)
        self.days, self.seconds, self.microseconds = days + carry, seconds, micro
        if not -999999999 <= self.days <= 999999999:
            raise OverflowError("days=%d; must have magnitude <= 999999999" % self.days)

    def _micro(self):
        return (self.days * 86400 + self.seconds) * 1000000 + self.microseconds

    def total_seconds(self):
        return self._micro() / 10 ** 6

    def __repr__(self):
        parts = ["%s=%d" % (name, getattr(self, name)) for name in self.__slots__ if getattr(self, name)]
        return "datetime.timedelta(%s)" % (", ".join(parts) or "0")

    def __str__(self):
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        text = "%d:%02d:%02d" % (hours, minutes, seconds)
        if self.days:
            text = "%d day%s, " % (self.days, "" if abs(self.days) == 1 else "s") + text
        return text + (".%06d" % self.microseconds if self.microseconds else "")

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return timedelta(self.days + other.days, self.seconds + other.seconds,
                         self.microseconds + other.microseconds)

    def __sub__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return self + -other

    def __neg__(self):
        return timedelta(-self.days, -self.seconds, -self.microseconds)

    def __pos__(self):
        return self

    def __abs__(self):
        return -self if self.days < 0 else self

    def __mul__(self, other):
        if isinstance(other, int):
            return timedelta(self.days * other, self.seconds * other, self.microseconds * other)
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return timedelta(0, 0, _divide_round(self._micro() * a, b))
        return NotImplemented

    __rmul__ = __mul__

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._micro() // other._micro()
        if isinstance(other, int):
            return timedelta(0, 0, self._micro() // other)
        return NotImplemented

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._micro() / other._micro()
        if isinstance(other, int):
            return timedelta(0, 0, _divide_round(self._micro(), other))
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return timedelta(0, 0, _divide_round(b * self._micro(), a))
        return NotImplemented

    def __mod__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return timedelta(0, 0, self._micro() % other._micro())

    def __divmod__(self, other):
        return self // other, self % other

    def __eq__(self, other):
        return self._micro() == other._micro() if isinstance(other, timedelta) else NotImplemented

    def __lt__(self, other):
        return self._micro() < other._micro() if isinstance(other, timedelta) else NotImplemented

    def __le__(self, other):
        return self._micro() <= other._micro() if isinstance(other, timedelta) else NotImplemented

    def __gt__(self, other):
        return self._micro() > other._micro() if isinstance(other, timedelta) else NotImplemented

    def __ge__(self, other):
        return self._micro() >= other._micro() if isinstance(other, timedelta) else NotImplemented

    def __hash__(self):
        return hash(self._micro())

    def __bool__(self):
        return self._micro() != 0


def _divide_round(a, b):
    q, r = divmod(a, b)
    r *= 2
    if (r > b if b > 0 else r < b) or (r == b and q % 2):
        q += 1
    return q


timedelta.min = timedelta(-999999999)
timedelta.max = timedelta(999999999, 86399, 999999)
timedelta.resolution = timedelta(0, 0, 1)


def _iso_offset(offset, colon=":"):
    if offset is None:
        return ""
    micro = offset._micro()
    sign, micro = ("-", -micro) if micro < 0 else ("+", micro)
    seconds, micro = divmod(micro, 1000000)
    minutes, seconds = divmod(seconds, 60)
    text = "%s%02d%s%02d" % (sign, minutes // 60, colon, minutes % 60)
    if seconds or micro:
        text += "%s%02d" % (colon, seconds) + (".%06d" % micro if micro else "")
    return text


def _strftime(self, format, fields, micro, offset, zone):
    out, i = "", 0
    while i < len(format):
        pair = format[i:i + 2]
        if pair == "%f":
            out += "%06d" % micro
        elif pair == "%z":
            out += _iso_offset(offset, "")
        elif format[i:i + 3] == "%:z":
            out += _iso_offset(offset)
            i += 1
        elif pair == "%Z":
            out += (zone or "").replace("%", "%%")
        elif format[i] == "%":
            out += pair
        else:
            out += format[i]
            i -= 1
        i += 2
    return _time.strftime(out, fields)


class tzinfo:
    def tzname(self, dt):
        raise NotImplementedError("tzinfo subclass must override tzname()")

    def utcoffset(self, dt):
        raise NotImplementedError("tzinfo subclass must override utcoffset()")

    def dst(self, dt):
        raise NotImplementedError("tzinfo subclass must override dst()")

    def fromutc(self, dt):
        return dt + self.utcoffset(dt)


class timezone(tzinfo):
    def __new__(cls, offset, name=None):
        return cls.utc if not offset and name is None and hasattr(cls, "utc") else object.__new__(cls)

    def __init__(self, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError("timezone() argument 1 must be datetime.timedelta, not %s" % type(offset).__name__)
        if not -timedelta(1) < offset < timedelta(1):
            raise ValueError("offset must be a timedelta strictly between -timedelta(hours=24) and "
                             "timedelta(hours=24), not %r." % offset)
        self._offset, self._name = offset, name

    def utcoffset(self, dt):
        return self._offset

    def dst(self, dt):
        return None

    def tzname(self, dt):
        if self._name is not None:
            return self._name
        return "UTC" + _iso_offset(self._offset) if self._offset else "UTC"

    def __eq__(self, other):
        return self._offset == other._offset if isinstance(other, timezone) else NotImplemented

    def __hash__(self):
        return hash(self._offset)

    def __str__(self):
        return self.tzname(None)

    def __repr__(self):
        if self is timezone.utc:
            return "datetime.timezone.utc"
        if self._name is None:
            return "datetime.timezone(%r)" % self._offset
        return "datetime.timezone(%r, %r)" % (self._offset, self._name)


timezone.utc = timezone(timedelta(0))
UTC = timezone.utc


class date:
    def __init__(self, year, month, day):
        _check_date(year, month, day)
        self._year, self._month, self._day = year, month, day

    year = property(lambda self: self._year)
    month = property(lambda self: self._month)
    day = property(lambda self: self._day)

    @classmethod
    def fromtimestamp(cls, timestamp):
        return cls(*_time._local(timestamp)[:3])

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_time.time())

    @classmethod
    def fromordinal(cls, n):
        if n < 1:
            raise ValueError("ordinal must be >= 1")
        return cls(*_from_ordinal(n))

    @classmethod
    def fromisocalendar(cls, year, week, day):
        if not MINYEAR <= year <= MAXYEAR:
            raise ValueError("Year is out of range: %d" % year)
        first = _week_one(year)
        if week < 1 or first + 7 * (week - 1) >= _week_one(year + 1):
            raise ValueError("Invalid week: %d" % week)
        if not 1 <= day <= 7:
            raise ValueError("Invalid day: %d (range is [1, 7])" % day)
        return cls.fromordinal(first + 7 * (week - 1) + day - 1)

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        parts = _iso_date(date_string)
        if parts is None:
            raise ValueError("Invalid isoformat string: %r" % date_string)
        return cls(*parts)

    def toordinal(self):
        return _ordinal(self._year, self._month, self._day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def isocalendar(self):
        year = self._year
        first = _week_one(year)
        week = (self.toordinal() - first) // 7
        if week < 0:
            year -= 1
            week = (self.toordinal() - _week_one(year)) // 7
        elif week >= 52 and self.toordinal() >= _week_one(year + 1):
            year, week = year + 1, 0
        return IsoCalendarDate(year, week + 1, self.isoweekday())

    def isoformat(self):
        return "%04d-%02d-%02d" % (self._year, self._month, self._day)

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return "datetime.date(%d, %d, %d)" % (self._year, self._month, self._day)

    def ctime(self):
        return "%s %s %2d 00:00:00 %04d" % (_day_names[self.weekday()], _month_names[self._month], self._day,
                                            self._year)

    def timetuple(self):
        first = _ordinal(self._year, 1, 1)
        return _time.struct_time((self._year, self._month, self._day, 0, 0, 0, self.weekday(),
                                  self.toordinal() - first + 1, -1))

    def strftime(self, format):
        return _strftime(self, format, self.timetuple(), 0, None, None)

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def replace(self, year=None, month=None, day=None):
        return type(self)(self._year if year is None else year, self._month if month is None else month,
                          self._day if day is None else day)

    def __add__(self, other):
        if isinstance(other, timedelta):
            return type(self).fromordinal(_in_range(self.toordinal() + other.days))
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + timedelta(-other.days)
        if isinstance(other, date) and not isinstance(other, datetime):
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented

    def _key(self):
        return self._year, self._month, self._day

    def _same(self, other):
        return isinstance(other, date) and not isinstance(other, datetime)

    def __eq__(self, other):
        return self._key() == other._key() if self._same(other) else NotImplemented

    def __lt__(self, other):
        return self._key() < other._key() if self._same(other) else NotImplemented

    def __le__(self, other):
        return self._key() <= other._key() if self._same(other) else NotImplemented

    def __gt__(self, other):
        return self._key() > other._key() if self._same(other) else NotImplemented

    def __ge__(self, other):
        return self._key() >= other._key() if self._same(other) else NotImplemented

    def __hash__(self):
        return hash(self._key())


def _in_range(n):
    if not 1 <= n <= 3652059:
        raise OverflowError("date value out of range")
    return n


def _week_one(year):
    first = _ordinal(year, 1, 1)
    weekday = (first + 6) % 7
    return first - weekday + (7 if weekday > 3 else 0)


class IsoCalendarDate(tuple):
    def __new__(cls, year, week, weekday):
        return tuple.__new__(cls, (year, week, weekday))

    year = property(lambda self: self[0])
    week = property(lambda self: self[1])
    weekday = property(lambda self: self[2])

    def __repr__(self):
        return "datetime.IsoCalendarDate(year=%d, week=%d, weekday=%d)" % self


def _digits(text):
    return text != "" and all(c in "0123456789" for c in text)


def _iso_width(text):
    """How long the date at the start of a text is."""
    if "W" in text[4:6]:
        day = text[8:9] == "-" if text[4] == "-" else _digits(text[7:8])
        return 7 + day if text[4] == "W" else 8 + 2 * day
    return 10 if text[4:5] == "-" else 8


def _iso_date(text):
    """Year, month and day of 2024-01-02, 20240102, 2024-W01-2 or 2024W012; None: it is none of them."""
    if "W" in text[4:6]:
        dash = "-" if text[4] == "-" else ""
        plain = text.replace("-", "")
        year, week, day = plain[:4], plain[5:7], plain[7:] or "1"
        if text not in (f"{year}{dash}W{week}", f"{year}{dash}W{week}{dash}{day}") or not _digits(year + week + day):
            return None
        try:
            made = date.fromisocalendar(int(year), int(week), int(day))
        except ValueError:
            return None
        return made.year, made.month, made.day
    if len(text) == 10 and text[4] == "-" == text[7]:
        parts = text[:4], text[5:7], text[8:]
    elif len(text) == 8:
        parts = text[:4], text[4:6], text[6:]
    else:
        return None
    return tuple(int(part) for part in parts) if all(_digits(part) for part in parts) else None


def _iso_clock(text):
    colon = ":" in text
    clock, dot, fraction = text.replace(",", ".").partition(".")
    parts = clock.split(":") if colon else [clock[i:i + 2] for i in range(0, len(clock), 2)]
    if not 1 <= len(parts) <= 3 or not all(len(part) == 2 and _digits(part) for part in parts):
        return None
    if dot and (not _digits(fraction) or len(parts) < 3):
        return None
    numbers = [int(part) for part in parts] + [0] * (3 - len(parts))
    return numbers + [int((fraction + "000000")[:6])]


def _iso_time(text):
    zone = None
    at = max(text.find("+"), text.find("-"))
    if text.endswith("Z"):
        text, zone = text[:-1], timezone.utc
    elif at >= 0:
        offset = _iso_clock(text[at + 1:])
        if offset is None:
            return None
        delta = timedelta(0, offset[0] * 3600 + offset[1] * 60 + offset[2], offset[3])
        delta = -delta if text[at] == "-" else delta
        zone = timezone(delta) if delta else timezone.utc
        text = text[:at]
    clock = _iso_clock(text)
    return None if clock is None else clock + [zone]


class time:
    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        _check_time(hour, minute, second, microsecond)
        self.hour, self.minute, self.second, self.microsecond = hour, minute, second, microsecond
        self.tzinfo, self.fold = tzinfo, fold

    @classmethod
    def fromisoformat(cls, time_string):
        parts = _iso_time(time_string.lstrip("T"))
        if parts is None:
            raise ValueError("Invalid isoformat string: %r" % time_string)
        return cls(*parts)

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(None)

    def tzname(self):
        return None if self.tzinfo is None else self.tzinfo.tzname(None)

    def isoformat(self, timespec="auto"):
        return _clock_text(self, timespec) + _iso_offset(self.utcoffset())

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return "datetime.time(%s)" % _clock_repr(self, 2)

    def strftime(self, format):
        fields = (1900, 1, 1, self.hour, self.minute, self.second, 0, 1, -1)
        return _strftime(self, format, fields, self.microsecond, self.utcoffset(), self.tzname())

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        return time(self.hour if hour is None else hour, self.minute if minute is None else minute,
                    self.second if second is None else second,
                    self.microsecond if microsecond is None else microsecond,
                    self.tzinfo if tzinfo is True else tzinfo)

    def _key(self):
        micro = ((self.hour * 60 + self.minute) * 60 + self.second) * 1000000 + self.microsecond
        offset = self.utcoffset()
        return micro if offset is None else micro - offset._micro()

    def __eq__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        return not self._is_mixed(other) and self._key() == other._key()

    def _is_mixed(self, other):
        """Whether one has an offset and the other none."""
        return (self.utcoffset() is None) != (other.utcoffset() is None)

    def _same(self, other):
        if not isinstance(other, time):
            return False
        if self._is_mixed(other):
            raise TypeError("can't compare offset-naive and offset-aware times")
        return True

    def __lt__(self, other):
        return self._key() < other._key() if self._same(other) else NotImplemented

    def __le__(self, other):
        return self._key() <= other._key() if self._same(other) else NotImplemented

    def __gt__(self, other):
        return self._key() > other._key() if self._same(other) else NotImplemented

    def __ge__(self, other):
        return self._key() >= other._key() if self._same(other) else NotImplemented

    def __hash__(self):
        return hash(self._key())


def _clock_text(self, timespec):
    if timespec == "auto":
        timespec = "microseconds" if self.microsecond else "seconds"
    formats = {"hours": "%02d", "minutes": "%02d:%02d", "seconds": "%02d:%02d:%02d",
               "milliseconds": "%02d:%02d:%02d.%03d", "microseconds": "%02d:%02d:%02d.%06d"}
    if timespec not in formats:
        raise ValueError("Unknown timespec value")
    last = self.microsecond // 1000 if timespec == "milliseconds" else self.microsecond
    fields = (self.hour, self.minute, self.second, last)
    return formats[timespec] % fields[:formats[timespec].count("%")]


def _clock_repr(self, least):
    fields = [self.hour, self.minute, self.second, self.microsecond]
    while len(fields) > least and not fields[-1]:
        fields.pop()
    text = ", ".join(map(str, fields))
    return text + (", tzinfo=%r" % self.tzinfo if self.tzinfo is not None else "")


time_class = time


class datetime(date):
    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        _check_date(year, month, day)
        _check_time(hour, minute, second, microsecond)
        self._year, self._month, self._day = year, month, day
        self.hour, self.minute, self.second, self.microsecond = hour, minute, second, microsecond
        self.tzinfo, self.fold = tzinfo, fold

    @classmethod
    def now(cls, tz=None):
        return cls._at(_time.time_ns() // 1000, tz)

    @classmethod
    def today(cls):
        return cls.now()

    @classmethod
    def utcnow(cls):
        return cls._at(_time.time_ns() // 1000, timezone.utc).replace(tzinfo=None)

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        a, b = timestamp.as_integer_ratio()
        return cls._at(_divide_round(a * 1000000, b), tz)

    @classmethod
    def utcfromtimestamp(cls, timestamp):
        return cls.fromtimestamp(timestamp, timezone.utc).replace(tzinfo=None)

    @classmethod
    def _at(cls, micro, tz):
        seconds, micro = divmod(micro, 1000000)
        fields = (_time._local if tz is None else _time._utc)(seconds)
        made = cls(*fields[:5], min(fields[5], 59), micro, tz)
        return made if tz is None else tz.fromutc(made)

    @classmethod
    def combine(cls, date, time, tzinfo=True):
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond,
                   time.tzinfo if tzinfo is True else tzinfo)

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        width = _iso_width(date_string)
        day = _iso_date(date_string[:width])
        clock = _iso_time(date_string[width + 1:]) if len(date_string) > width else []
        if day is None or clock is None:
            raise ValueError("Invalid isoformat string: %r" % date_string)
        return cls(*day, *clock)

    @classmethod
    def strptime(cls, date_string, format):
        from _strptime import parse, fields
        found = parse(date_string, format)
        tz = None
        if "offset" in found:
            delta = timedelta(0, found["offset"], found["offset_micro"])
            tz = timezone(delta) if delta else timezone.utc
        return cls(*fields(found)[:6], found.get("micro", 0), tz)

    def date(self):
        return date_class(self._year, self._month, self._day)

    def time(self):
        return time_class(self.hour, self.minute, self.second, self.microsecond)

    def timetz(self):
        return time_class(self.hour, self.minute, self.second, self.microsecond, self.tzinfo)

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(self)

    def tzname(self):
        return None if self.tzinfo is None else self.tzinfo.tzname(self)

    def dst(self):
        return None if self.tzinfo is None else self.tzinfo.dst(self)

    def timetuple(self):
        first = _ordinal(self._year, 1, 1)
        return _time.struct_time((self._year, self._month, self._day, self.hour, self.minute, self.second,
                                  self.weekday(), self.toordinal() - first + 1, -1))

    def utctimetuple(self):
        there = self - self.utcoffset() if self.tzinfo is not None else self
        return _time.struct_time(there.timetuple()[:8] + (0,))

    def timestamp(self):
        if self.tzinfo is None:
            return _time.mktime(self.timetuple()) + self.microsecond / 1000000
        return (self - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds()

    def astimezone(self, tz=None):
        if self.tzinfo is None:
            here = _time._local(_time.mktime(self.timetuple()))
            utc = self - timedelta(0, here[9])
        else:
            utc = self.replace(tzinfo=None) - self.utcoffset()
        if tz is None:
            seconds = (utc - datetime(1970, 1, 1)) // timedelta(0, 1)
            here = _time._local(seconds)
            tz = timezone(timedelta(0, here[9]), here[10])
        return tz.fromutc(utc.replace(tzinfo=tz))

    def isoformat(self, sep="T", timespec="auto"):
        return date.isoformat(self) + sep + _clock_text(self, timespec) + _iso_offset(self.utcoffset())

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        return "datetime.datetime(%d, %d, %d, %s)" % (self._year, self._month, self._day, _clock_repr(self, 2))

    def ctime(self):
        return "%s %s %2d %02d:%02d:%02d %04d" % (_day_names[self.weekday()], _month_names[self._month], self._day,
                                                  self.hour, self.minute, self.second, self._year)

    def strftime(self, format):
        return _strftime(self, format, self.timetuple(), self.microsecond, self.utcoffset(), self.tzname())

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None,
                tzinfo=True, *, fold=None):
        return type(self)(self._year if year is None else year, self._month if month is None else month,
                          self._day if day is None else day, self.hour if hour is None else hour,
                          self.minute if minute is None else minute, self.second if second is None else second,
                          self.microsecond if microsecond is None else microsecond,
                          self.tzinfo if tzinfo is True else tzinfo)

    def _micro(self):
        return ((self.toordinal() * 24 + self.hour) * 60 + self.minute) * 60000000 + \
            self.second * 1000000 + self.microsecond

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        days, micro = divmod(self._micro() + other._micro(), 86400000000)
        seconds, micro = divmod(micro, 1000000)
        minutes, second = divmod(seconds, 60)
        year, month, day = _from_ordinal(_in_range(days))
        return type(self)(year, month, day, minutes // 60, minutes % 60, second, micro, self.tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if not isinstance(other, datetime):
            return NotImplemented
        if self.tzinfo is other.tzinfo:  # what clocks of that zone show, whatever its offsets are
            return timedelta(0, 0, self._micro() - other._micro())
        mine, others = self.utcoffset(), other.utcoffset()
        if (mine is None) != (others is None):
            raise TypeError("can't subtract offset-naive and offset-aware datetimes")
        return timedelta(0, 0, self._key() - other._key())

    def _key(self):
        offset = self.utcoffset()
        return self._micro() if offset is None else self._micro() - offset._micro()

    def _same(self, other):
        if not isinstance(other, datetime):
            if isinstance(other, date):
                raise TypeError("can't compare datetime.datetime to datetime.date")
            return False
        if (self.tzinfo is None) != (other.tzinfo is None):
            raise TypeError("can't compare offset-naive and offset-aware datetimes")
        return True

    def __eq__(self, other):
        if not isinstance(other, datetime):
            return NotImplemented
        return (self.tzinfo is None) == (other.tzinfo is None) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())


date_class = date
date.min = date(1, 1, 1)
date.max = date(9999, 12, 31)
date.resolution = timedelta(1)
time.min = time(0, 0)
time.max = time(23, 59, 59, 999999)
datetime.min = datetime(1, 1, 1)
datetime.max = datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta(0, 0, 1)


def _aware(*fields):  # one that comes from python3
    return datetime(*fields[:8], fold=fields[8])
