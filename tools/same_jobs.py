#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do Snakemake and this engine plan the same jobs? Compares their dry runs of real projects, job by job.

    tools/same_jobs.py [--engine PROGRAM] [--snakemake PROGRAM] [--show] 'DIR [ARGUMENT...]'...

Each DIR is a checkout of a project; what follows it in the same word are arguments of the run. Without any, the
project's own test folder (.test, .tests/integration, ...) is the working directory, where there is one. Each engine
gets a copy of its own at the same path, so that nothing is left behind and the texts can be compared.

A line a project: `same` where every job has the same rule, files, wildcards, resources, reason and command; `order`
where they differ just in the order of words (a set has another order in each run of Python); `jobs` where just the
numbers of jobs per rule agree; `differs`; `neither` where both refuse it. --show prints the first jobs that differ.
Exit status 1: a project differs.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

TEST_FOLDERS = ".tests/integration", ".test/integration", ".tests", ".test"
DATE = re.compile(r"^( *)\[\w{3} \w{3} +\d+ [\d:]+ \d{4}\]( Group job .*)?$")


def arguments(folder, given):
    if given:
        return given
    for name in TEST_FOLDERS:
        if Path(folder, name).is_dir() and any(Path(folder, name).glob("config*")):
            return ["--directory", name]
    return []


def plan(command, folder, words):
    """(jobs per rule or None, texts of the jobs, the last words of the error)"""
    with tempfile.TemporaryDirectory(prefix="same-jobs-") as scratch:
        place = Path(tempfile.gettempdir(), "same-jobs", Path(folder).resolve().name)
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder, place, symlinks=True, ignore=shutil.ignore_patterns(".git", ".snakemake"))
        always = ["--dry-run", "--cores=4", "--printshellcmds", "--nocolor", "--nolock"]
        done = subprocess.run([*command, *words, *always], cwd=place, env=os.environ | {"HOME": scratch},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        shutil.rmtree(place, ignore_errors=True)
    text = done.stdout + "\n" + done.stderr
    if done.returncode:
        return None, Counter(), text
    return counts(text), jobs(text), ""


def counts(text):
    """The table that follows "Job stats:"."""
    found = {}
    for line in text.partition("Job stats:\n")[2].splitlines():
        words = line.split()
        if len(words) != 2 or not words[1].isdigit():
            if found and not line.startswith("---"):
                break
            continue
        found[words[0]] = int(words[1])
    return found


def jobs(text):
    """The text of each job, without its number and the time; those of a group are indented."""
    found = Counter()
    block, indent = None, 0
    for line in [*text.splitlines(), "Job stats:"]:
        begin = DATE.match(line)
        if begin or line == "Job stats:":
            if block:
                found["\n".join(block).rstrip()] += 1
            block = [] if begin and not begin[2] else None
            indent = len(begin[1]) if begin else 0
            continue
        if line.startswith("Shell command:"):
            indent = 0  # a group's commands are not
        line = line[indent:] if line[:indent].isspace() else line
        if block is not None and not line.startswith(("Would remove temporary output ", "    jobid: ")):
            block.append(settled(re.sub(r"^Job \d+:", "Job:", line)))
    return found


def settled(line):
    """Without what has no order (files of a reason, resources, wildcards), its own files as they are named here."""
    line = re.sub(r"Updated input files: *(;|$)", r"Updated input files\1", line)
    line = re.sub(r"(\S+) \(cached\)", lambda cached: os.path.normpath(cached[1]), line)
    line = re.sub(r"[^\s='\"]+/snakemake-runtime-cache/[^/]+/file(\S+)", lambda cached: os.path.normpath(cached[1]), line)
    begin, name, rest = line.partition(": ")
    if name and begin.strip() in ("resources", "wildcards"):
        return begin + name + ", ".join(sorted(rest.split(", ")))
    if begin.strip().lower() != "reason":
        return line
    parts = [part.partition(": ") for part in rest.split("; ")]
    return begin + name + "; ".join(what + colon + ", ".join(sorted(set(files.split(", "))))
                                    for what, colon, files in parts)


def verdict(theirs, ours):
    if theirs[0] is None or ours[0] is None:
        return "neither" if theirs[0] is ours[0] else "differs"
    if theirs[0] != ours[0]:
        return "differs"
    if theirs[1] == ours[1]:
        return "same"
    return "order" if shuffled(theirs[1]) == shuffled(ours[1]) else "jobs"


def shuffled(texts):
    """Without the order of words in a line."""
    found = Counter()
    for text, n in texts.items():
        found["\n".join(" ".join(sorted(re.split("[ ,]+", line))) for line in text.splitlines())] += n
    return found


def show(theirs, ours):
    for name, (_, _, error) in (("snakemake", theirs), ("engine", ours)):
        if error:
            lines = [line for line in error.splitlines() if line.strip()]
            at = next((i for i, line in enumerate(lines) if "Error" in line or "Exception" in line), 0)
            print(f"  {name} says:\n" + "\n".join("    " + line for line in lines[at:at + 12]))
    left, right = theirs[0] or {}, ours[0] or {}
    for rule in sorted(left | right):
        if left.get(rule) != right.get(rule) and not theirs[2] and not ours[2]:
            print(f"  {rule}: {left.get(rule, 0)} jobs of Snakemake, {right.get(rule, 0)} here")
    for name, extra in ("snakemake", theirs[1] - ours[1]), ("engine", ours[1] - theirs[1]):
        for text in list(extra)[:3] if not theirs[2] and not ours[2] else []:
            print(f"  only {name}:\n" + "\n".join("    " + line for line in text.splitlines()))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--engine", default="build/kintsugi-flow run")
    options.add_argument("--snakemake", default="snakemake")
    options.add_argument("--show", action="store_true")
    options.add_argument("projects", nargs="+", metavar="'DIR [ARGUMENT...]'")
    given = options.parse_args()
    engine = shlex.split(given.engine)
    engine[0] = os.path.abspath(shutil.which(engine[0]) or sys.exit(f"no program '{engine[0]}'"))
    seen = Counter()
    for project in given.projects:
        folder, *words = shlex.split(project)
        words = arguments(folder, words)
        theirs, ours = (plan(command, folder, words) for command in (shlex.split(given.snakemake), engine))
        how = verdict(theirs, ours)
        seen[how] += 1
        total = (ours[0] or theirs[0] or {}).get("total", 0)
        print(f"{how:8}{total:7} jobs  {Path(folder).name} {' '.join(words)}", flush=True)
        if given.show:
            show(theirs, ours)
    print(", ".join(f"{n} {how}" for how, n in seen.most_common()))
    return 1 if seen["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
