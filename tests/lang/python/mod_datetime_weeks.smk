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
