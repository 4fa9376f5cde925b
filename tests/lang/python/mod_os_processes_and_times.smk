# Calls of os and os.path about processes, links, times and variables.
import os
import os.path as p
import stat


def tried(act, *args):
    try:
        return act(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


with open("f", "w") as f:
    f.write("text")
os.link("f", "g")
os.mkfifo("pipe")
os.symlink("nowhere", "broken")
os.utime("f", (100, 200.5))
print(os.stat("g").st_nlink, stat.S_ISFIFO(os.stat("pipe").st_mode), tried(os.link, "nowhere", "x"))  # expect: 2 True FileNotFoundError: [Errno 2] No such file or directory: 'nowhere' -> 'x'
print(p.lexists("broken"), p.exists("broken"), p.getmtime("f"), p.getatime("f"), p.getctime("f") > 0)  # expect: True False 200.5 100.0 True
print(tried(p.getmtime, "nowhere"))  # expect: FileNotFoundError: [Errno 2] No such file or directory: 'nowhere'
os.environ["VALUE"] = "val"
print(p.expandvars("a/$VALUE/${VALUE}/$NOT_SET/${NOT_SET}/$"), p.expandvars("$VALUEX ${VALUE"))  # expect: a/val/val/$NOT_SET/${NOT_SET}/$ $VALUEX ${VALUE
print(p.splitdrive("/a/b"), p.normcase("/A/b"))  # expect: ('', '/a/b') /A/b
print([p.splitroot(x) for x in ("", "a/b", "/a", "//a", "///a/b")])  # expect: [('', '', ''), ('', '', 'a/b'), ('', '/', 'a'), ('', '//', 'a'), ('', '/', '//a/b')]
old = os.umask(0o027)
print(os.umask(old) == 0o027, os.system("exit 3"), os.system("kill -9 $$"), os.kill(os.getpid(), 0))  # expect: True 768 9 None
print(len(os.urandom(5)), tried(os.urandom, -1), os.strerror(2), os.isatty(99))  # expect: 5 ValueError: negative argument not allowed No such file or directory False
print(os.uname().sysname, len(os.getloadavg()), len(os.sched_getaffinity(0)) > 0, os.getppid() > 0)  # expect: Linux 3 True True

# What os.system() tells.
for command in ("true", "exit 3", "kill -9 $$"):
    told = os.system(command)
    print(os.WIFEXITED(told), os.WEXITSTATUS(told), os.WIFSIGNALED(told), os.WTERMSIG(told), os.waitstatus_to_exitcode(told))
    # expect: True 0 False 0 0
    # expect: True 3 False 0 3
    # expect: False 0 True 9 -9
print(tried(os.waitstatus_to_exitcode, 0x137f), os.WIFSIGNALED(0x137f))
# expect: ValueError: process stopped by delivery of signal 19 False
