#!/usr/bin/env python3
"""The layout of the C and CUDA sources: no line is wider than 100 columns, and clang-format of the version that
.clang-format is written for has nothing to change. Without that version only the width is looked at.

    python3 tests/format.py [ROOT]          says what is wrong
    python3 tests/format.py --fix [ROOT]    formats; comments and drawings are left to their writers
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

WIDTH = 100
VERSION = 14  # others break lines elsewhere
GENERATED = {"src/base/utf8_tables.h", "tests/unit/python/cases.h"}


def sources(root):
    for folder in ("src", "kernels", "tests"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".inc", ".cu") and str(path.relative_to(root)) not in GENERATED:
                yield path


def too_wide(root, paths):
    for path in paths:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if len(line) > WIDTH:
                yield f"{path.relative_to(root)}:{number}: {len(line)} columns"


def formatter_is_known():
    try:
        said = subprocess.run(["clang-format", "--version"], capture_output=True, text=True).stdout
    except OSError:
        return False
    version = re.search(r"version (\d+)", said)
    return bool(version) and int(version[1]) == VERSION


def run_formatter(options, paths):
    """What it says about the paths; as many at a time as there are processors."""
    parts = [paths[i::os.cpu_count() or 1] for i in range(os.cpu_count() or 1)]
    call = lambda part: subprocess.run(["clang-format", *options, *part], capture_output=True, text=True).stderr
    with concurrent.futures.ThreadPoolExecutor() as pool:
        return "".join(pool.map(call, [part for part in parts if part]))


def main(words):
    fix = words[:1] == ["--fix"]
    root = pathlib.Path((words[1:] if fix else words)[0] if words[fix:] else ".").resolve()
    paths = list(sources(root))
    known = formatter_is_known()
    if fix and not known:
        return f"clang-format {VERSION} is not here"
    if fix:
        run_formatter(["-i"], paths)
    faults = list(too_wide(root, paths))
    if known and not fix:
        said = run_formatter(["--dry-run"], paths)
        faults += sorted({os.path.relpath(line.split(":")[0], root) + ": clang-format would change it"
                          for line in said.splitlines() if "warning: code should be clang-formatted" in line})
    for fault in faults:
        print(fault)
    print(f"{len(paths)} files, {len(faults)} faults" + ("" if known else f"; clang-format {VERSION} is not here"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
