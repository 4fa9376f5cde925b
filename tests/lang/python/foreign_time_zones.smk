# Times in zones of zoneinfo, which takes only datetimes of its own kind: the hour that comes twice, too.
import struct
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

with open("zone", "wb") as f:
    f.write(b"TZif" + bytes(16) + struct.pack(">6L", 0, 0, 0, 2, 2, 9))
    f.write(struct.pack(">2l2B", -(2**31), 1603587600, 0, 1))
    f.write(struct.pack(">lBBlBB", 7200, 1, 0, 3600, 0, 5) + b"CEST\0CET\0")
with open("zone", "rb") as f:
    zone = ZoneInfo.from_file(f)

noon = datetime(2020, 7, 1, 12, tzinfo=zone)
print(noon, noon.tzname(), noon.utcoffset())  # expect: 2020-07-01 12:00:00+02:00 CEST 2:00:00
print(noon.astimezone(timezone.utc))  # expect: 2020-07-01 10:00:00+00:00
for hour in (0, 1):
    utc = datetime(2020, 10, 25, hour, 30, tzinfo=timezone.utc)
    here = utc.astimezone(zone)
    print(here, here.fold, here.astimezone(timezone.utc) == utc, isinstance(here, datetime))
# expect: 2020-10-25 02:30:00+02:00 0 True True
# expect: 2020-10-25 02:30:00+01:00 1 True True
print(datetime.fromtimestamp(1603587600, zone) - noon)  # expect: 115 days, 14:00:00
print(datetime(2020, 7, 1, 12, tzinfo=timezone(timedelta(hours=5), "X")).astimezone(zone).hour)  # expect: 9
