#!/usr/bin/env python3
"""Prints the table of options for docs/compatibility.md from src/cli/options.h."""
import re
from pathlib import Path

text = (Path(__file__).resolve().parent.parent / "src/cli/options.h").read_text().replace("\\\n", " ")
rows = re.findall(r'X\(\s*[A-Z0-9_]+,\s*"([^"]+)",\s*[A-Z]+,\s*"[^"]*",\s*((?:"[^"]*"\s*)+),\s*(YES|IGNORED|NOT_YET)\)', text)
words = {"YES": "yes", "IGNORED": "accepted, no effect", "NOT_YET": "no"}
print("| option | here | what it does |\n|---|---|---|")
for names, help_text, served in rows:
    spelled = ", ".join(f"`{name}`" for name in names.split())
    sentence = "".join(re.findall(r'"([^"]*)"', help_text)).replace("|", "\\|")
    print(f"| {spelled} | {words[served]} | {sentence} |")
