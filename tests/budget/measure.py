# SPDX-License-Identifier: MIT
"""Runs a command once, its output to a file: python3 -IS measure.py LIMIT FILE COMMAND... prints seconds, CPU seconds,
peak KiB and the exit status (-1: ended after LIMIT seconds).

A process of its own and a small one, because a child's peak memory begins with the size of its parent.
"""
import os
import signal
import sys
import time

limit, out, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
start = time.perf_counter()
pid = os.fork()
if not pid:
    os.setpgid(0, 0)
    fd = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    os.dup2(fd, 1)
    os.dup2(fd, 2)
    try:
        os.execvp(command[0], command)
    except OSError:
        os._exit(127)


def on_alarm(signum, frame):
    os.killpg(pid, signal.SIGKILL)


signal.signal(signal.SIGALRM, on_alarm)
signal.alarm(limit)
_, status, usage = os.wait4(pid, 0)
seconds = time.perf_counter() - start
status = -1 if os.WIFSIGNALED(status) and seconds >= limit else os.waitstatus_to_exitcode(status)
print(f"{seconds:.4f} {usage.ru_utime + usage.ru_stime:.4f} {usage.ru_maxrss} {status}")
