import os
import pathlib
import tempfile

d = pathlib.Path(tempfile.mkdtemp())
p = d / "fileA"
p.write_bytes(b"abcdefg")
print(p.read_bytes())
for bad in (lambda: p.write_bytes("somestr"), lambda: p.write_text(b"x"), lambda: (d / "no").write_text(1)):
    try:
        bad()
    except TypeError as e:
        print(e)
print(p.read_bytes(), (d / "no").exists())
p.write_text("ab\ncd\r\nef\n", newline="\r")
print(p.read_bytes())
p.write_text("ab\ncd", newline="\r\n")
print(p.read_bytes())
q = d / "x\x00y"
for name in ("exists", "is_file", "is_dir", "is_symlink", "is_fifo", "is_mount", "is_socket"):
    try:
        print(name, getattr(q, name)(), getattr(d / "fileA" / "bah", name)())
    except Exception as e:
        print(name, type(e).__name__, e)
(d / "sub").mkdir()
os.symlink(str(d / "sub"), str(d / "link"))
os.symlink("nowhere", str(d / "broken"))
print(sorted([(str(a.relative_to(d)), sorted(b), sorted(c)) for a, b, c in d.walk()]))
print(sorted([(str(a.relative_to(d)), sorted(b), sorted(c)) for a, b, c in d.walk(follow_symlinks=True)]))
os.chdir(str(d))
print(str((d / "link" / ".." / "fileA").resolve().relative_to(d.resolve())), (d / "broken" / "x").resolve().relative_to(d.resolve()))
print([str(x.relative_to(d)) for x in sorted(d.glob("*"))], sorted(str(x.relative_to(d)) for x in d.rglob("*")))
try: (d / "broken" / "x").resolve(strict=True)
except OSError as e:
    print(type(e).__name__)
os.mkdir("far")
os.mkdir("far/deep")
os.symlink("far/deep", "short")
print(os.path.realpath("short/../x").replace(str(d.resolve()), ""), os.path.realpath("/.."), os.path.realpath("//a"), os.path.realpath("").replace(str(d.resolve()), ""), os.path.realpath("/"))
print((d / "short" / "..").resolve().name, os.path.realpath("./short/./y").replace(str(d.resolve()), ""), os.path.realpath("no/../such").replace(str(d.resolve()), ""))
os.symlink("loop", "loop")
os.symlink("b", "a"); os.symlink("a", "b")
for name in ("loop", "a", "a/x", "none", "fileA/x"):
    try:
        print(os.path.realpath(name, strict=True).replace(str(d.resolve()), ""))
    except OSError as e:
        print(type(e).__name__, e.errno)
print(os.path.realpath("none/x").replace(str(d.resolve()), ""))

# expect: b'abcdefg'
# expect: memoryview: a bytes-like object is required, not 'str'
# expect: data must be str, not bytes
# expect: data must be str, not int
# expect: b'abcdefg' False
# expect: b'ab\rcd\r\ref\r'
# expect: b'ab\r\ncd'
# expect: exists False False
# expect: is_file False False
# expect: is_dir False False
# expect: is_symlink False False
# expect: is_fifo False False
# expect: is_mount False False
# expect: is_socket False False
# expect: [('.', ['sub'], ['broken', 'fileA', 'link']), ('sub', [], [])]
# expect: [('.', ['link', 'sub'], ['broken', 'fileA']), ('link', [], []), ('sub', [], [])]
# expect: fileA nowhere/x
# expect: ['broken', 'fileA', 'link', 'sub'] ['broken', 'fileA', 'link', 'sub']
# expect: FileNotFoundError
# expect: /far/x / /a  /
# expect: far /far/deep/y /such
# expect: OSError 40
# expect: OSError 40
# expect: OSError 40
# expect: FileNotFoundError 2
# expect: NotADirectoryError 20
# expect: /none/x
