# SPDX-License-Identifier: MIT
# time: struct_time and the functions that take or give one.

_fields = ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst")


class struct_time(tuple):
    n_fields = 11
    n_sequence_fields = 9

    def __new__(cls, items):
        items = tuple(items)
        if len(items) < 9:
            raise TypeError("time.struct_time() takes an at least 9-sequence (%d-sequence given)" % len(items))
        return tuple.__new__(cls, items[:9])

    tm_year = property(lambda self: self[0])
    tm_mon = property(lambda self: self[1])
    tm_mday = property(lambda self: self[2])
    tm_hour = property(lambda self: self[3])
    tm_min = property(lambda self: self[4])
    tm_sec = property(lambda self: self[5])
    tm_wday = property(lambda self: self[6])
    tm_yday = property(lambda self: self[7])
    tm_isdst = property(lambda self: self[8])

    @property
    def tm_gmtoff(self):
        return _local(mktime(self))[9]

    @property
    def tm_zone(self):
        return _local(mktime(self))[10]

    def __repr__(self):
        return "time.struct_time(%s)" % ", ".join("%s=%r" % pair for pair in zip(_fields, self))


class _utc_time(struct_time):
    tm_gmtoff = 0
    tm_zone = "UTC"


def localtime(seconds=None, /):
    return struct_time(_local(seconds))


def gmtime(seconds=None, /):
    return _utc_time(_utc(seconds))


def strftime(format, t=None, /):
    return _format(format, localtime() if t is None else t)


def asctime(t=None, /):
    t = localtime() if t is None else t
    return _format("%a %b ", t) + "%2d " % t[2] + _format("%H:%M:%S ", t) + str(t[0])


def ctime(seconds=None, /):
    return asctime(localtime(seconds))


def strptime(string, format="%a %b %d %H:%M:%S %Y", /):
    from _strptime import parse, fields
    return struct_time(fields(parse(string, format)))
