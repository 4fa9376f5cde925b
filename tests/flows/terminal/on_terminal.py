"""on_terminal.py COLUMNS COMMAND...: what a command writes to a terminal of that width."""
import fcntl
import os
import pty
import struct
import sys
import termios

program, screen = pty.fork()
if not program:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
try:
    while said := os.read(screen, 4096):
        sys.stdout.buffer.write(said)
except OSError:  # Linux ends a terminal so
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(program, 0)[1]))
