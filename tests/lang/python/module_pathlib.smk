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
