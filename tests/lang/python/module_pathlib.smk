from pathlib import Path
p = Path("data") / "raw" / "a.tar.gz"
print(p, p.name, p.stem, p.suffix, p.parent, p.with_suffix(".txt"), p.parts, str(p.parent.parent))
print(p.exists(), Path("/a/b").is_absolute(), p.as_posix() + "!", repr(Path("x")), Path("a") == Path("a/"))
Path("d/e").mkdir(parents=True, exist_ok=True)
Path("d/e/f.txt").write_text("hi")
print(Path("d/e/f.txt").read_text(), sorted(str(x) for x in Path("d").rglob("*")), Path("d/e").is_dir())
# expect: data/raw/a.tar.gz a.tar.gz a.tar .gz data/raw data/raw/a.tar.txt ('data', 'raw', 'a.tar.gz') data
# expect: False True data/raw/a.tar.gz! PosixPath('x') True
# expect: hi ['d/e', 'd/e/f.txt'] True

import os

print(isinstance(Path("a"), os.PathLike), isinstance("a", os.PathLike))  # expect: True False

from pathlib import PurePath, PurePosixPath

print(PurePath("a") / "b", [PurePath("a"), PurePosixPath("b").parent], type(PurePath("a")).__name__, isinstance(Path("a"), PurePosixPath))
# expect: a/b [PurePosixPath('a'), PurePosixPath('.')] PurePosixPath True
Path("d/e/F.TXT").write_text("")
print(sorted(Path("d").rglob("*.txt", case_sensitive=False)), list(Path("d/E").glob("*")), sorted(Path("d").glob("E/f.txt", case_sensitive=False)))
# expect: [PosixPath('d/e/F.TXT'), PosixPath('d/e/f.txt')] [] [PosixPath('d/e/F.TXT'), PosixPath('d/e/f.txt')]
print(Path("a/B.py").match("b.PY", case_sensitive=False), Path("a/B.py").match("b.PY"))  # expect: True False
try:
    list(Path("d").rglob("/a"))
except NotImplementedError as e:
    print(e)  # expect: Non-relative patterns are unsupported
try:
    f"{Path('a'):>5}"
except TypeError as e:
    print(f"{Path('a')}", e)  # expect: a unsupported format string passed to PosixPath.__format__
