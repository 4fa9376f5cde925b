# A NUL ends no path and no argument of a program: it is refused.
import subprocess

for act in (lambda: open("a\0b", "w"), lambda: subprocess.run(["echo", "a\0b"])):
    try:
        act()
    except ValueError as e:
        print(e)
# expect: embedded null byte
# expect: embedded null byte
try:
    compile("x = 'a\0b'", "<text>", "exec")
except SyntaxError:
    print("no source")  # expect: no source
