# SPDX-License-Identifier: MIT
# Times read by a format, for time and datetime.

_days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_months = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december"]
_numbers = {"Y": ("year", 4, 4, 0, 9999), "m": ("month", 1, 2, 1, 12), "d": ("day", 1, 2, 1, 31),
            "H": ("hour", 1, 2, 0, 23), "I": ("hour12", 1, 2, 1, 12), "M": ("minute", 1, 2, 0, 59),
            "S": ("second", 1, 2, 0, 61), "j": ("yday", 1, 3, 1, 366), "y": ("year2", 2, 2, 0, 99),
            "w": ("sunday_first", 1, 1, 0, 6), "u": ("monday_first", 1, 1, 1, 7), "U": ("week_sunday", 1, 2, 0, 53),
            "W": ("week_monday", 1, 2, 0, 53), "G": ("iso_year", 4, 4, 0, 9999), "V": ("iso_week", 1, 2, 1, 53)}
_whole = {"D": "%m/%d/%y", "T": "%H:%M:%S", "R": "%H:%M", "F": "%Y-%m-%d", "c": "%a %b %d %H:%M:%S %Y",
          "x": "%m/%d/%y", "X": "%H:%M:%S"}


class _Mismatch(Exception):
    pass


def _number(text, at, least, most, low, high):
    end = at
    while end < len(text) and end - at < most and text[end] in "0123456789":
        end += 1
    while end > at and not low <= int(text[at:end]) <= high:
        end -= 1
    if end - at < least:
        raise _Mismatch
    return int(text[at:end]), end


def _name(text, at, names):
    rest = text[at:].lower()
    for length in (None, 3):
        for i, name in enumerate(names):
            if rest.startswith(name[:length]):
                return i, at + len(name[:length])
    raise _Mismatch


def _offset(text, at):
    if text[at:at + 1] in ("Z", "z"):
        return 0, 0, at + 1
    if at >= len(text) or text[at] not in "+-":
        raise _Mismatch
    sign = -1 if text[at] == "-" else 1
    hours, end = _number(text, at + 1, 2, 2, 0, 23)
    if text[end:end + 1] == ":":
        end += 1
    minutes, end = _number(text, end, 2, 2, 0, 59)
    seconds = micro = 0
    if text[end:end + 1] == ":" or text[end:end + 2].isdigit():
        end += text[end] == ":"
        seconds, end = _number(text, end, 2, 2, 0, 59)
        if text[end:end + 1] == ".":
            start = end + 1
            value, end = _number(text, start, 1, 6, 0, 999999)
            micro = value * 10 ** (6 - (end - start))
    return sign * (hours * 3600 + minutes * 60 + seconds), sign * micro, end


def _field(found, code, text, at):
    if code in _numbers:
        name, least, most, low, high = _numbers[code]
        found[name], at = _number(text, at, least, most, low, high)
    elif code == "f":
        value, end = _number(text, at, 1, 6, 0, 999999)
        found["micro"] = value * 10 ** (6 - (end - at))
        at = end
    elif code in "aA":
        found["weekday"], at = _name(text, at, _days)
    elif code in "bBh":
        index, at = _name(text, at, _months)
        found["month"] = index + 1
    elif code == "p":
        half, at = _name(text, at, ["am", "pm"])
        found["pm"] = half == 1
    elif code == "z":
        found["offset"], found["offset_micro"], at = _offset(text, at)
    elif code == "Z":
        for zone in ("utc", "gmt"):
            if text[at:].lower().startswith(zone):
                found["zone"] = text[at:at + 3]
                return at + 3
        raise _Mismatch
    elif code == "%":
        if text[at:at + 1] != "%":
            raise _Mismatch
        at += 1
    return at


def _expanded(format):
    out, i = "", 0
    while i < len(format):
        if format[i] == "%" and format[i + 1:i + 2] in _whole:
            out += _whole[format[i + 1]]
            i += 2
        elif format[i] == "%":
            if i + 1 == len(format):
                raise ValueError("stray %% in format '%s'" % format)
            if format[i + 1] not in _numbers and format[i + 1] not in "faAbBhpzZ%":
                raise ValueError("'%s' is a bad directive in format '%s'" % (format[i + 1], format))
            out += format[i:i + 2]
            i += 2
        else:
            out += format[i]
            i += 1
    return out


def _match(text, format):
    found, at, i = {}, 0, 0
    while i < len(format):
        c = format[i]
        if c == "%":
            at = _field(found, format[i + 1], text, at)
            i += 2
        elif c.isspace():
            if not text[at:at + 1].isspace():
                raise _Mismatch
            while text[at:at + 1].isspace():
                at += 1
            while i < len(format) and format[i].isspace():
                i += 1
        else:
            if text[at:at + 1].lower() != c.lower():
                raise _Mismatch
            at += 1
            i += 1
    return found, at


def parse(text, format):
    if not isinstance(text, str):
        raise TypeError("strptime() argument 0 must be str, not %s" % type(text))
    try:
        found, at = _match(text, _expanded(format))
    except _Mismatch:
        raise ValueError("time data %r does not match format %r" % (text, format)) from None
    if at != len(text):
        raise ValueError("unconverted data remains: " + text[at:])
    if "year2" in found:
        found["year"] = found["year2"] + (2000 if found["year2"] < 69 else 1900)
    if "hour12" in found:
        found["hour"] = found["hour12"] % 12 + (12 if found.get("pm") else 0)
    if "sunday_first" in found:
        found["weekday"] = (found["sunday_first"] + 6) % 7
    if "monday_first" in found:
        found["weekday"] = found["monday_first"] - 1
    _check_weeks(found)
    return found


def _check_weeks(found):
    """A week needs a year of its own kind and a day."""
    day = "a weekday directive ('%A', '%a', '%w', or '%u')."
    if "iso_year" in found:
        if "iso_week" not in found or "weekday" not in found:
            raise ValueError("ISO year directive '%G' must be used with the ISO week directive '%V' and " + day)
        if "yday" in found:
            raise ValueError("Day of the year directive '%j' is not compatible with ISO year directive '%G'. "
                             "Use '%Y' instead.")
    elif "iso_week" in found:
        if "year" not in found or "weekday" not in found:
            raise ValueError("ISO week directive '%V' must be used with the ISO year directive '%G' and " + day)
        raise ValueError("ISO week directive '%V' is incompatible with the year directive '%Y'. "
                         "Use the ISO year '%G' instead.")


def _later(day, days):
    from datetime import date
    return date.fromordinal(day.toordinal() + days)


def _is_leap_day_alone(found):
    return "year" not in found and (found.get("month"), found.get("day")) == (2, 29)


def _day(found, year):
    """The day that is meant: one counted in the year goes before a month and its day."""
    from datetime import date
    weekday = found.get("weekday")
    if "yday" in found:
        return _later(date(year, 1, 1), found["yday"] - 1)
    for name, first_day in (("week_sunday", 6), ("week_monday", 0)):
        if name in found and weekday is not None:
            first = date(year, 1, 1)
            before = (first_day - first.weekday()) % 7  # days before the first full week: these are week 0
            week = found[name] - 1 if before else max(found[name] - 1, 0)
            return _later(first, before + 7 * week + (weekday - first_day) % 7)
    if "iso_year" in found:
        return date.fromisocalendar(found["iso_year"], found["iso_week"], weekday + 1)
    return date(year, found.get("month", 1), found.get("day", 1))


def fields(found):
    """Without a year it is 1900, but February 29th is counted in a leap year first. A day that a week or a number
    puts after its year is still counted from the start of that year."""
    from datetime import date
    year = found.get("year", 1904 if _is_leap_day_alone(found) else 1900)
    day = _day(found, year)
    counted_in = day.year if "iso_year" in found else min(year, day.year)
    return (1900 if _is_leap_day_alone(found) else day.year, day.month, day.day, found.get("hour", 0),
            found.get("minute", 0), found.get("second", 0), found.get("weekday", day.weekday()),
            day.toordinal() - date(counted_in, 1, 1).toordinal() + 1, -1)
