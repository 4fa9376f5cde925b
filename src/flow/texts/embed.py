# SPDX-License-Identifier: MIT
"""Writes text files as C arrays: embed.py OUT.c HEADER NAME=FILE ..."""
import sys

with open(sys.argv[1], "w") as out:
    out.write('#include "%s"\n' % sys.argv[2])
    for word in sys.argv[3:]:
        name, path = word.split("=", 1)
        with open(path, "rb") as text:
            codes = [str(byte) for byte in text.read()] + ["0"]
        lines = [",".join(codes[i : i + 32]) for i in range(0, len(codes), 32)]
        out.write("const char text_%s[] = {\n%s};\n" % (name, ",\n".join(lines)))
