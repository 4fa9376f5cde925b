# A file that nobody closes: CPython closes it with its last name, so the text is there at once.
import json
import os
import shutil
import subprocess

open("a.txt", "w").write("hello\n")
print(os.path.getsize("a.txt"), os.stat("a.txt").st_size)  # expect: 6 6
print(open("a.txt").read() == "hello\n")  # expect: True
json.dump({"a": 1}, open("b.json", "w"))
print(subprocess.check_output(["cat", "b.json"]))  # expect: b'{"a": 1}'
print("x", "y", file=open("c.txt", "w"))
shutil.copy("c.txt", "d.txt")
print(open("d.txt").read().split())  # expect: ['x', 'y']
for i in range(3):
    open("e.txt", "a").write(str(i))
print(open("e.txt").read())  # expect: 012

# Nor do they use up what a process may have open (1024 mostly).
os.makedirs("many")
for i in range(3000):
    open(f"many/{i}", "w").write("x")
    assert len(os.listdir("/proc/self/fd")) < 500 if i % 100 == 0 else True
print(len(os.listdir("many")))  # expect: 3000
