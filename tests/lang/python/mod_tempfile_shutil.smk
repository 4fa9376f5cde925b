# Temporary files; copying, moving and removing.
import os
import shutil
import tempfile

def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
with tempfile.TemporaryDirectory(prefix="pp", suffix="ss") as d:
    n = os.path.basename(d); print(os.path.isdir(d), n[:2], n[-2:], len(n))
    with tempfile.NamedTemporaryFile("w", dir=d, suffix=".txt", delete=False) as f:
        f.write("x"); print(os.path.exists(f.name), f.name.endswith(".txt"))
    print(open(f.name).read(), len(os.listdir(d)))
    with tempfile.NamedTemporaryFile(dir=d) as f: f.write(b"ab"); f.flush(); print(os.path.getsize(f.name)); f.seek(0); print(f.read())
    print(os.path.exists(f.name))
    fd, path = tempfile.mkstemp(dir=d); os.write(fd, b"q"); os.close(fd); print(open(path).read(), oct(os.stat(path).st_mode))
    with tempfile.TemporaryFile("w+") as g: g.write("hey"); g.seek(0); print(g.read())
print(os.path.exists(d), os.path.isdir(tempfile.gettempdir()), tempfile.gettempprefix())

os.makedirs("s/t/u"); open("s/a.txt","w").write("A"); open("s/t/b.log","w").write("B"); os.symlink("a.txt","s/l"); os.chmod("s/a.txt", 0o640)
t(lambda: shutil.copytree("s", "c", ignore=shutil.ignore_patterns("*.log"), symlinks=True))
print(sorted((r, sorted(ds), sorted(fs)) for r, ds, fs in os.walk("c")), os.path.islink("c/l"), oct(os.stat("c/a.txt").st_mode))
t(lambda: shutil.copytree("s", "c"))
t(lambda: shutil.copytree("s", "c", dirs_exist_ok=True))
t(lambda: shutil.copy("s/a.txt", "n.txt")); t(lambda: shutil.copy("s/a.txt", "c/t")); t(lambda: shutil.copy2("s/a.txt", "m.txt"))
print(os.stat("m.txt").st_mtime_ns == os.stat("s/a.txt").st_mtime_ns)
t(lambda: shutil.copyfile("s/a.txt", "s/a.txt")); t(lambda: shutil.copyfile("nope", "x")); t(lambda: shutil.copyfile("s", "x")); t(lambda: shutil.copy("n.txt", "no/dir/x"))
t(lambda: shutil.move("n.txt", "c")); t(lambda: shutil.move("m.txt", "c/m2.txt")); t(lambda: shutil.move("nope", "c")); open("n.txt","w").close(); t(lambda: shutil.move("n.txt", "c"))
t(lambda: shutil.rmtree("nope")); t(lambda: shutil.rmtree("nope", ignore_errors=True)); t(lambda: shutil.rmtree("s/l"));t(lambda: shutil.rmtree("n.txt")); t(lambda: shutil.rmtree("c")); print(os.path.exists("c"))
t(lambda: shutil.which("sh") is not None); t(lambda: shutil.which("nope-x")); t(lambda: shutil.disk_usage(".").total > 0)
t(lambda: shutil.make_archive("ar", "gztar", "s").endswith("ar.tar.gz")); t(lambda: shutil.unpack_archive("ar.tar.gz", "un")); print(sorted(os.listdir("un"))); t(lambda: shutil.make_archive("x", "nope")); t(lambda: shutil.unpack_archive("n.txt"))
# expect: True pp ss 12
# expect: True True
# expect: x 1
# expect: 2
# expect: b'ab'
# expect: False
# expect: q 0o100600
# expect: hey
# expect: False True tmp
# expect: c
# expect: [('c', ['t'], ['a.txt', 'l']), ('c/t', ['u'], []), ('c/t/u', [], [])] True 0o100640
# expect: FileExistsError [Errno 17] File exists: 'c'
# expect: c
# expect: n.txt
# expect: c/t/a.txt
# expect: m.txt
# expect: True
# expect: SameFileError 's/a.txt' and 's/a.txt' are the same file
# expect: FileNotFoundError [Errno 2] No such file or directory: 'nope'
# expect: IsADirectoryError [Errno 21] Is a directory: 's'
# expect: FileNotFoundError [Errno 2] No such file or directory: 'no/dir/x'
# expect: c/n.txt
# expect: c/m2.txt
# expect: FileNotFoundError [Errno 2] No such file or directory: 'nope'
# expect: Error Destination path 'c/n.txt' already exists
# expect: FileNotFoundError [Errno 2] No such file or directory: 'nope'
# expect: None
# expect: OSError Cannot call rmtree on a symbolic link
# expect: NotADirectoryError [Errno 20] Not a directory: 'n.txt'
# expect: None
# expect: False
# expect: True
# expect: None
# expect: True
# expect: True
# expect: None
# expect: ['a.txt', 'l', 't']
# expect: ValueError unknown archive format 'nope'
# expect: ReadError Unknown archive format 'n.txt'
