# preexec_fn=os.setsid starts a command in a session of its own: it ends with all that it has started.
import os
import signal
import subprocess
import sys

p = subprocess.Popen("sleep 60 & sleep 60", shell=True, preexec_fn=os.setsid)
print(os.getpgid(p.pid) == p.pid, os.getpgid(p.pid) == os.getpgrp())  # expect: True False
os.killpg(os.getpgid(p.pid), signal.SIGTERM)
print(p.wait())  # expect: -15
print(sys.warnoptions, sys.prefix == sys.base_prefix == sys.exec_prefix)  # expect: [] True
