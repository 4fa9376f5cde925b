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
