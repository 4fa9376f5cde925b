#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs random small programs in the evaluator and in CPython 3.12 and shows those whose output differs.

    python3 tools/random_programs.py build/tests/lang/lang-eval [--python PYTHON] [--seeds 0:200] [--keep DIR]

A program is some statements of random_programs.grammar, each in a try that prints what it raises: so one fault hides
no other. Addresses are not compared.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import tempfile

HEAD = """\
import abc, bisect, collections, contextlib, copy, csv, dataclasses, datetime, enum, fnmatch, functools, io, itertools, json, math
import heapq, operator, os.path, random, re, shlex, string, sys, textwrap, traceback, typing
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from pathlib import Path


def show(*values):
    print(*[repr(v) for v in values])


def heapq_use(items, n):
    heap = list(items)
    heapq.heapify(heap)
    return heapq.nsmallest(n, items), heapq.nlargest(n, items, key=str), heapq.heappushpop(heap, heap[0]), heap


def fault(e):
    print(type(e).__name__, e, sep=": ")


a, b, c, x, y, s, t, l, d, n = 1, -7, 2.5, 10**20, 0, "Snake é", "a,b;c", [3, 1, 2], {"k": 1, "v": [2]}, None
"""
PART = re.compile(r"<(-?\d+)\.\.(-?\d+)>|<([a-z ]+)(?:\*(\d)-(\d))?>")
ADDRESS = re.compile("0x[0-9a-f]{6,}")
DEEPEST = 6  # then a value is a number


def read_grammar(path):
    """The alternatives of each name."""
    grammar = {}
    for line in path.read_text().splitlines():
        if line.startswith("  "):
            grammar[name].append("" if line == "  ~" else line[2:])
        elif line and not line.startswith("#"):
            name = line
            grammar[name] = []
    return grammar


def is_program(text):
    try:
        compile(text, "program", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


class Maker:
    def __init__(self, grammar, seed):
        self.grammar, self.rnd, self.names = grammar, random.Random(seed), 0

    def make(self, name, depth=0):
        if depth > DEEPEST and name in ("value", "text", "items", "expression", "comprehension"):
            name = "int" if name != "items" else "plain"
        self.names += 1
        text = self.rnd.choice(self.grammar[name]).replace("@k", "K%d" % self.names).replace("@j", "J%d" % self.names)
        return PART.sub(lambda m: self.part(m, depth + 1), text)

    def part(self, match, depth):
        low, high, name, least, most = match.groups()
        if low:
            return str(self.rnd.randint(int(low), int(high)))
        if name not in self.grammar:  # a group's name in a pattern
            return match.group()
        if not least:
            return self.make(name, depth)
        return ", ".join(self.make(name, depth) for _ in range(self.rnd.randint(int(least), int(most))))

    def statement(self):
        lines = ["    %s\n" % line for line in self.make("statement").split("¶")]
        return "try:\n%sexcept Exception as e:\n    fault(e)\n" % "".join(lines)

    def program(self):
        parts = [HEAD]
        while len(parts) < 16:
            parts += filter(is_program, [self.statement()])
        return "\n".join(parts)


def output(command, path):
    try:
        done = subprocess.run([command, path], capture_output=True, text=True, errors="backslashreplace", timeout=20)
    except subprocess.TimeoutExpired:
        return ["(time is up)"]
    return ADDRESS.sub("0x", done.stdout).splitlines() + ["fails"] * bool(done.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("evaluator")
    parser.add_argument("--python", default="python3.12")
    parser.add_argument("--seeds", default="0:100", help="from:to")
    parser.add_argument("--keep", help="a directory for the programs that differ")
    args = parser.parse_args()
    first, last = map(int, args.seeds.split(":"))
    grammar = read_grammar(pathlib.Path(__file__).with_suffix(".grammar"))
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last):
            path = os.path.join(folder, "p.py")
            pathlib.Path(path).write_text(Maker(grammar, seed).program())
            wanted, got = output(args.python, path), output(os.path.abspath(args.evaluator), path)
            if wanted == got:
                continue
            differ += 1
            at = next(i for i in range(len(wanted) + len(got)) if wanted[i : i + 1] != got[i : i + 1])
            print("seed %d\n- %s\n+ %s" % (seed, "".join(wanted[at : at + 1]), "".join(got[at : at + 1])), flush=True)
            if args.keep:
                os.makedirs(args.keep, exist_ok=True)
                os.replace(path, os.path.join(args.keep, "seed%d.py" % seed))
    print("%d of %d programs differ" % (differ, last - first))


if __name__ == "__main__":
    main()
