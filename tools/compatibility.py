#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keeps the table of docs/compatibility.md whole.

    tools/compatibility.py --write       the rows of the options anew, from src/cli/options.h
    tools/compatibility.py SOURCES       what Snakemake's sources (its src/snakemake) know and the table does not

Keywords, directives and functions are read from parser.py and workflow.py, options from cli.py; nothing is imported.
A name counts as listed where it stands in backquotes in a row's first column. Exits with 1 if any is missing.
"""
import ast
import re
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
TABLE = HOME / "docs/compatibility.md"
BEGIN, END = "<!-- options: tools/compatibility.py --write -->\n", "<!-- end of options -->\n"
SERVED = {"YES": "yes", "IGNORED": "accepted", "NOT_YET": "no"}


def option_rows():
    text = (HOME / "src/cli/options.h").read_text().replace("\\\n", " ")
    rows = re.findall(r'X\(\s*[A-Z0-9_]+,\s*"([^"]+)",\s*[A-Z]+,\s*"[^"]*",\s*((?:"[^"]*"\s*)+),\s*'
                      r'(YES|IGNORED|NOT_YET)\)', text)
    for names, help_text, served in rows:
        spelled = ", ".join(f"`{name}`" for name in names.split())
        sentence = "".join(re.findall(r'"([^"]*)"', help_text)).replace("|", "\\|")
        yield f"| {spelled} | option | {SERVED[served]} | {sentence} |\n"


def write():
    head, rest = TABLE.read_text().split(BEGIN)
    tail = rest.split(END)[1]
    TABLE.write_text(head + BEGIN + "".join(option_rows()) + END + tail)


def listed():
    names = set()
    for line in TABLE.read_text().splitlines():
        if line.startswith("|"):
            names |= set(re.findall(r"`([^`]+)`", line.split(" | ")[0]))
    return names


def calls(tree, name):
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(name))


def options_of(sources):
    tree = ast.parse((sources / "cli.py").read_text())
    for call in calls(tree, "add_argument"):
        for argument in call.args:
            if isinstance(argument, ast.Constant) and str(argument.value).startswith("-"):
                yield argument.value


def keywords_of(sources):
    """The keys of every dict of subautomata: keywords and directives."""
    tree = ast.parse((sources / "parser.py").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any("subautomata" in ast.unparse(target) for target in node.targets):
            if isinstance(node.value, ast.Call):
                yield from (word.arg for word in node.value.keywords if word.arg)


def functions_of(sources):
    """What Snakefiles find in their namespace: entries of _globals, and lowercase names from snakemake.io."""
    for path in ("workflow.py", "ioutils/__init__.py", "ioflags.py"):
        tree = ast.parse((sources / path).read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("_globals", "self.globals"):
                if isinstance(node.slice, ast.Constant):
                    yield node.slice.value
            if isinstance(node, ast.ImportFrom) and node.module == "snakemake.io":
                yield from (name.name for name in node.names if name.name.islower())
        for call in calls(tree, "_globals.update"):
            yield from (key.value for key in call.args[0].keys)


def main():
    if sys.argv[1:] == ["--write"]:
        return write()
    if len(sys.argv) != 2 or not Path(sys.argv[1], "cli.py").exists():
        sys.exit(__doc__)
    sources, known = Path(sys.argv[1]), listed()
    missing = 0
    for what, names in (("keyword or directive", keywords_of), ("function", functions_of), ("option", options_of)):
        for name in sorted(set(names(sources))):
            if name not in known:
                print(f"{what}: {name}")
                missing += 1
    print(f"{missing} missing")
    return missing > 0


if __name__ == "__main__":
    sys.exit(main())
