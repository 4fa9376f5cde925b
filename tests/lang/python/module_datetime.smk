import datetime, time
from datetime import timedelta
d = datetime.date(2024, 2, 28) + timedelta(days=2)
print(d, d.isoformat(), d.year, d.strftime("%Y%m%d"), datetime.datetime(2024, 1, 2, 3, 4, 5))
print((datetime.date(2024, 3, 1) - datetime.date(2024, 2, 1)).days, isinstance(time.time(), float))
# expect: 2024-03-01 2024-03-01 2024 20240301 2024-01-02 03:04:05
# expect: 29 True
