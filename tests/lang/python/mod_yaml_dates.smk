import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load('2001-01-01')  # expect: datetime.date(2001, 1, 1)
load('2001-1-1')  # expect: '2001-1-1'
load('01-01-2001')  # expect: '01-01-2001'
load('2001-12-14t21:59:43.10-05:00')  # expect: datetime.datetime(2001, 12, 14, 21, 59, 43, 100000, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=68400)))
load('2001-12-14T21:59:43Z')  # expect: datetime.datetime(2001, 12, 14, 21, 59, 43, tzinfo=datetime.timezone.utc)
load('2001-12-14 21:59:43.1 -5')  # expect: datetime.datetime(2001, 12, 14, 21, 59, 43, 100000, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=68400)))
load('2001-12-15 2:59:43.10')  # expect: datetime.datetime(2001, 12, 15, 2, 59, 43, 100000)
load('2001-12-14 21:59')  # expect: '2001-12-14 21:59'
load('2001-12-14 21:59:43.1234567')  # expect: datetime.datetime(2001, 12, 14, 21, 59, 43, 123456)
load('2001-12-14 21:59:43 +01:30')  # expect: datetime.datetime(2001, 12, 14, 21, 59, 43, tzinfo=datetime.timezone(datetime.timedelta(seconds=5400)))
load('2001-02-30')  # expect: ValueError 'day is out of range for month'
load('2001-13-01')  # expect: ValueError 'month must be in 1..12'
load('[2001-01-01, 2001-01-01x]')  # expect: [datetime.date(2001, 1, 1), '2001-01-01x']
load('d: 2024-02-29')  # expect: {'d': datetime.date(2024, 2, 29)}
load("'2001-01-01'")  # expect: '2001-01-01'
