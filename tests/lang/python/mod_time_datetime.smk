import time, datetime
from datetime import date, timedelta, timezone
D=datetime.datetime
d=D(2024,2,29,13,5,7,123456)
print(d, repr(d), d.isoformat(), d.isoformat(timespec='minutes'), d.date(), d.time(), d.weekday(), d.isoweekday(), tuple(d.isocalendar()), d.ctime())
print(d.strftime("%Y-%m-%d %H:%M:%S.%f %j %a %A %b %B %p %I %y %% %z|%Z|"), f"{d:%Y/%m/%d}", format(d), d.timetuple())
print(d+timedelta(days=1,hours=11), d-timedelta(weeks=1), d-D(2023,1,1), (d-D(2023,1,1)).total_seconds(), d.replace(year=2020,hour=0))
print(timedelta(1.5), repr(timedelta(hours=25,minutes=3)), -timedelta(1,5), timedelta(days=-1,seconds=3), timedelta(seconds=90)*2, timedelta(seconds=90)/4, timedelta(days=2)/timedelta(hours=1), timedelta(days=2)//timedelta(hours=7), timedelta(hours=5)%timedelta(hours=2), abs(timedelta(-1)), timedelta(milliseconds=1.5), timedelta(microseconds=0.5), bool(timedelta()), timedelta(1)*1.5)
print(date(2024,12,30).isocalendar()[:], date(2021,1,3).isocalendar()[1], date.fromordinal(738000), date(1,1,1).toordinal(), date.fromisoformat("2024-03-01")-date(2024,2,1), date(2024,1,31)<date(2024,2,1), date(2024,1,1)==D(2024,1,1))
print(D.fromisoformat("2024-01-02T03:04:05"), D.fromisoformat("2024-01-02 03:04:05.123+02:00"), D.fromisoformat("2024-01-02"), repr(D.fromisoformat("2024-01-02T03:04Z")))
print(D.strptime("2024-05-06 07:08:09","%Y-%m-%d %H:%M:%S"), D.strptime("6 May 24 3PM","%d %b %y %I%p"), D.strptime("2024-01-01T00:00:00.5+0100","%Y-%m-%dT%H:%M:%S.%f%z"), D.strptime("2024 060","%Y %j"))
u=D(2024,1,1,tzinfo=timezone.utc); print(u, u.timestamp(), D.fromtimestamp(1700000000,timezone.utc), D.utcfromtimestamp(1.5), u.astimezone(timezone(timedelta(hours=-5))), repr(timezone(timedelta(hours=2))), timezone.utc, u.tzname())
print(time.strftime("%Y-%m-%d", time.gmtime(0)), time.gmtime(1e9), time.asctime(time.gmtime(0)), time.strptime("2020-02-03","%Y-%m-%d"), time.gmtime(0).tm_year, time.mktime(time.localtime(1000)))
for f in (lambda: D(2024,13,1), lambda: date(2023,2,29), lambda: D(2024,1,1,25), lambda: D.strptime("x","%Y"), lambda: D.strptime("2020-01-01 z","%Y-%m-%d"), lambda: u-D(2024,1,1), lambda: D.fromisoformat("nope"), lambda: d<date(2024,1,1), lambda: date.max+timedelta(1), lambda: time.sleep(-1), lambda: D.strptime("2020","%Q")):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
t0=time.perf_counter(); time.sleep(0.01); print(0.009 < time.perf_counter()-t0 < 1, isinstance(time.time(),float), time.time_ns()>10**18, abs(D.now().timestamp()-time.time())<5, D.today().date()==date.today(), datetime.date.today().year>=2024)
print(sorted([date(2024,1,2),date(2023,1,1)]), {date(2024,1,1):1}[date(2024,1,1)], datetime.time(1,2,3), repr(datetime.time(1,2)), datetime.time(1,2).strftime("%H:%M"), isinstance(d,date), max(date(2024,1,2),date(2023,1,1)))

# expect: 2024-02-29 13:05:07.123456 datetime.datetime(2024, 2, 29, 13, 5, 7, 123456) 2024-02-29T13:05:07.123456 2024-02-29T13:05 2024-02-29 13:05:07.123456 3 4 (2024, 9, 4) Thu Feb 29 13:05:07 2024
# expect: 2024-02-29 13:05:07.123456 060 Thu Thursday Feb February PM 01 24 % || 2024/02/29 2024-02-29 13:05:07.123456 time.struct_time(tm_year=2024, tm_mon=2, tm_mday=29, tm_hour=13, tm_min=5, tm_sec=7, tm_wday=3, tm_yday=60, tm_isdst=-1)
# expect: 2024-03-02 00:05:07.123456 2024-02-22 13:05:07.123456 424 days, 13:05:07.123456 36680707.123456 2020-02-29 00:05:07.123456
# expect: 1 day, 12:00:00 datetime.timedelta(days=1, seconds=3780) -2 days, 23:59:55 -1 day, 0:00:03 0:03:00 0:00:22.500000 48.0 6 1:00:00 1 day, 0:00:00 0:00:00.001500 0:00:00 False 1 day, 12:00:00
# expect: (2025, 1, 1) 53 2021-07-29 1 29 days, 0:00:00 True False
# expect: 2024-01-02 03:04:05 2024-01-02 03:04:05.123000+02:00 2024-01-02 00:00:00 datetime.datetime(2024, 1, 2, 3, 4, tzinfo=datetime.timezone.utc)
# expect: 2024-05-06 07:08:09 2024-05-06 15:00:00 2024-01-01 00:00:00.500000+01:00 2024-02-29 00:00:00
# expect: 2024-01-01 00:00:00+00:00 1704067200.0 2023-11-14 22:13:20+00:00 1970-01-01 00:00:01.500000 2023-12-31 19:00:00-05:00 datetime.timezone(datetime.timedelta(seconds=7200)) UTC UTC
# expect: 1970-01-01 time.struct_time(tm_year=2001, tm_mon=9, tm_mday=9, tm_hour=1, tm_min=46, tm_sec=40, tm_wday=6, tm_yday=252, tm_isdst=0) Thu Jan  1 00:00:00 1970 time.struct_time(tm_year=2020, tm_mon=2, tm_mday=3, tm_hour=0, tm_min=0, tm_sec=0, tm_wday=0, tm_yday=34, tm_isdst=-1) 1970 1000.0
# expect: ValueError month must be in 1..12
# expect: ValueError day is out of range for month
# expect: ValueError hour must be in 0..23
# expect: ValueError time data 'x' does not match format '%Y'
# expect: ValueError unconverted data remains:  z
# expect: TypeError can't subtract offset-naive and offset-aware datetimes
# expect: ValueError Invalid isoformat string: 'nope'
# expect: TypeError can't compare datetime.datetime to datetime.date
# expect: OverflowError date value out of range
# expect: ValueError sleep length must be non-negative
# expect: ValueError 'Q' is a bad directive in format '%Q'
# expect: True True True True True True
# expect: [datetime.date(2023, 1, 1), datetime.date(2024, 1, 2)] 1 01:02:03 datetime.time(1, 2) 01:02 True 2024-01-02

from datetime import date, datetime, time as clock, timedelta, timezone

try:
    date(2024, 2, 29).replace(year=0)
except ValueError as e:
    print(e)  # expect: year 0 is out of range
try:
    clock(1) < clock(2, tzinfo=timezone.utc)
except TypeError as e:
    print(e)  # expect: can't compare offset-naive and offset-aware times
there = datetime(2024, 7, 1, 12, tzinfo=timezone(timedelta(hours=-5, minutes=-30)))
print(clock(1) == clock(1, tzinfo=timezone.utc), there.utctimetuple().tm_isdst, there.strftime("%:z|%z"))  # expect: False 0 -05:30|-0530
print(timezone(timedelta(0)) is timezone.utc, timezone(timedelta(0), "X"))  # expect: True X
