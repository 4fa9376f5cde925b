# ISO 8601 also names days by year, week and day of the week.
from datetime import date, datetime

for text in ("2024-W01-2", "2024W012", "2024-W01", "2024W01", "2020-W53-7", "2024W01-2", "2024-W54-1", "2024-W01-8"):
    try:
        print(date.fromisoformat(text))
    except ValueError as e:
        print(e)
    # expect: 2024-01-02
    # expect: 2024-01-02
    # expect: 2024-01-01
    # expect: 2024-01-01
    # expect: 2021-01-03
    # expect: Invalid isoformat string: '2024W01-2'
    # expect: Invalid isoformat string: '2024-W54-1'
    # expect: Invalid isoformat string: '2024-W01-8'
print(datetime.fromisoformat("2024-W01-2T03"), datetime.fromisoformat("2024W01 04:05"))  # expect: 2024-01-02 03:00:00 2024-01-01 04:05:00

# Weeks with strptime.
import time

for text, how in (("2024 9 4", "%Y %U %w"), ("2024 9 4", "%Y %W %w"), ("2021 0 0", "%Y %U %w"), ("2023 0 0", "%Y %U %w"),
                  ("2024 09 Thu", "%G %V %a"),
                  ("2020-53-7", "%G-%V-%u"), ("1 5 2 2024", "%m %d %U %Y"), ("2024 9", "%G %V"), ("2024 9 1", "%Y %V %u"),
                  ("9", "%V"), ("2024 09 4 200", "%G %V %u %j"), ("2019 53 1", "%G %V %u")):
    try:
        print(datetime.strptime(text, how).date())
    except ValueError as e:
        print(e)
    # expect: 2024-03-07
    # expect: 2024-02-29
    # expect: 2020-12-27
    # expect: 2023-01-01
    # expect: 2024-02-29
    # expect: 2021-01-03
    # expect: 2024-01-05
    # expect: ISO year directive '%G' must be used with the ISO week directive '%V' and a weekday directive ('%A', '%a', '%w', or '%u').
    # expect: ISO week directive '%V' is incompatible with the year directive '%Y'. Use the ISO year '%G' instead.
    # expect: ISO week directive '%V' must be used with the ISO year directive '%G' and a weekday directive ('%A', '%a', '%w', or '%u').
    # expect: Day of the year directive '%j' is not compatible with ISO year directive '%G'. Use '%Y' instead.
    # expect: Invalid week: 53
print(tuple(time.strptime("1998 53 5", "%G %V %u"))[:8], time.strptime("Mon 2020-01-01", "%a %Y-%m-%d").tm_wday)
# expect: (1999, 1, 1, 0, 0, 0, 4, 1) 0

# A day that no year names is in 1900, February 29th too; one behind the end of its year counts from its start.
for text, how in (("Feb 29", "%b %d"), ("02-29 12:30", "%m-%d %H:%M"), ("Feb 29 Mon", "%b %d %a"), ("Feb 29 24", "%b %d %y"),
                  ("Feb 29 2023", "%b %d %Y"), ("Feb 30", "%b %d"), ("Feb 29 60", "%b %d %j"), ("366", "%j"),
                  ("2023 53 Sun", "%Y %W %a"), ("2015 0 Mon", "%Y %U %a"), ("9999 53 Sun", "%Y %W %a")):
    for read in (lambda: tuple(time.strptime(text, how))[:8], lambda: str(datetime.strptime(text, how))):
        try:
            print(read())
        except ValueError as e:
            print(e)
for kind in (date, datetime):
    for n in (0, -5, 3652059, 3652060, 10**9):
        try:
            print(kind.fromordinal(n))
        except ValueError as e:
            print(e)

# expect: (1900, 2, 29, 0, 0, 0, 0, 60)
# expect: day is out of range for month
# expect: (1900, 2, 29, 12, 30, 0, 0, 60)
# expect: day is out of range for month
# expect: (1900, 2, 29, 0, 0, 0, 0, 60)
# expect: day is out of range for month
# expect: (2024, 2, 29, 0, 0, 0, 3, 60)
# expect: 2024-02-29 00:00:00
# expect: day is out of range for month
# expect: day is out of range for month
# expect: day is out of range for month
# expect: day is out of range for month
# expect: (1900, 2, 29, 0, 0, 0, 0, 60)
# expect: day is out of range for month
# expect: (1901, 1, 1, 0, 0, 0, 1, 366)
# expect: 1901-01-01 00:00:00
# expect: (2024, 1, 7, 0, 0, 0, 6, 372)
# expect: 2024-01-07 00:00:00
# expect: (2014, 12, 29, 0, 0, 0, 0, 363)
# expect: 2014-12-29 00:00:00
# expect: year 10000 is out of range
# expect: year 10000 is out of range
# expect: ordinal must be >= 1
# expect: ordinal must be >= 1
# expect: 9999-12-31
# expect: year 10000 is out of range
# expect: year 2737908 is out of range
# expect: ordinal must be >= 1
# expect: ordinal must be >= 1
# expect: 9999-12-31 00:00:00
# expect: year 10000 is out of range
# expect: year 2737908 is out of range
