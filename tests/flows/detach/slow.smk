import time
from pathlib import Path

while not Path("read").exists():
    Path("reading").touch()
    time.sleep(0.1)
