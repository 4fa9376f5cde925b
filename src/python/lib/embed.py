# SPDX-License-Identifier: MIT
"""Writes files as C strings: embed.py OUT.h FILE.py... for the Python files of the library, named without their ends;
embed.py --root DIR OUT.h FILE... for any, named by their paths below DIR."""
import os
import sys

words = sys.argv[1:]
root = words[1] if words[0] == "--root" else None
out, *files = words[2:] if root else words
names = [os.path.relpath(path, root) if root else os.path.splitext(os.path.basename(path))[0] for path in files]
with open(out, "w", encoding="utf-8") as header:
    for i, path in enumerate(files):
        header.write(f"static const char library_{i}[] =\n")
        with open(path, encoding="utf-8") as source:
            for line in source:
                text = line.rstrip("\n").replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
                header.write(f'    "{text}\\n"\n')
        header.write("    ;\n")
    header.write("static const struct {\n    const char *name, *text;\n} library[] = {\n")
    for i, name in enumerate(names):
        header.write(f'    {{"{name}", library_{i}}},\n')
    header.write("};\n")
