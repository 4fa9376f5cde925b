#!/usr/bin/env python3
"""The pairs on the card that executes PTX: every kernel is launched, and each instruction is one that a card would
execute.

    kernels.py PAIRS [WHICH [NAME]]     with KINTSUGI_GPU_PLUGIN set to kintsugi-image-ptx.so; WHICH: most
    kernels.py --table COUNTS           of a file that KINTSUGI_EMULATED_COUNTS has named, as a table
"""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Kernels that no pair launches: the name, and why.
NEVER = {}
KINDS = ["loads", "stores", "shared", "floats", "integers", "branches", "others"]


def short(name):
    return re.sub(r"\(anonymous namespace\)::|^void |\(.*\)$", "", name.replace("(anonymous namespace)::", ""))


def read(path):
    """Of each kernel the counts; two may have the same name."""
    with open(path, newline="") as text:
        rows = csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row.pop("kernel"), {key: int(value) for key, value in row.items()}) for row in rows]


def print_table(path):
    print("| kernel | instructions of a thread |", " | ".join(KINDS), "| lanes | executed |")
    print("|---|" + "---|" * (len(KINDS) + 3))
    for name, k in sorted(read(path), key=lambda kernel: short(kernel[0])):
        executed = sum(k[kind] for kind in KINDS)
        if executed:
            shares = " | ".join(f"{100 * k[kind] / executed:.0f} %" for kind in KINDS)
            print(f"| {short(name)} | {32 * executed / k['threads']:.0f} | {shares} | "
                  f"{100 * k['lanes'] / executed / 32:.0f} % | {100 * k['reached'] / k['code']:.0f} % |")


def check(pairs, which):
    with tempfile.TemporaryDirectory() as folder:
        counts = pathlib.Path(folder, "counts")
        run = subprocess.Popen([pairs, *which], stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "KINTSUGI_EMULATED_COUNTS": str(counts)})
        tests = 0
        for line in run.stdout:
            planned = line.startswith("1..")
            tests += bool(re.match(r"(not )?ok ", line))
            if not planned:
                print(line, end="", flush=True)
        status = run.wait()
        kernels = read(counts) if counts.exists() else []
    never = sorted(short(name) for name, k in kernels if not k["launches"])
    unknown = [name for name in never if name not in NEVER]
    reached, code = (sum(k[key] for _, k in kernels) for key in ("reached", "code"))
    good = bool(kernels) and (not unknown or len(which) > 1)
    print(f"{'' if good else 'not '}ok {tests + 1} - {len(kernels) - len(never)} of {len(kernels)} kernels are "
          f"launched, {100 * reached // max(code, 1)} % of their instructions executed {', '.join(unknown)}")
    print(f"1..{tests + 1}")
    return status or not good


if sys.argv[1] == "--table":
    print_table(sys.argv[2])
else:
    sys.exit(check(sys.argv[1], sys.argv[2:] or ["most"]))
