"""What the benchmarks of all stages share: the programs, clocks, the table."""
import importlib
import json
import os
import subprocess
import sys
import time
import warnings

try:
    import imagecodecs  # noqa: F401 (what tifffile needs to read compressed floats)
    import numpy as np
    import scipy  # noqa: F401
    import tifffile  # noqa: F401
except ImportError as why:
    sys.exit(f"{why}: numpy, scipy, tifffile and imagecodecs are needed (tests/bench/kernels/run says how to get them)")

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
BUILD = os.environ.get("KINTSUGI_BUILD", os.path.join(ROOT, "build"))
STAGE = os.path.join(BUILD, "tests/bench/kernels/bench-stage")
IMAGE = os.path.join(BUILD, "kintsugi-image")
warnings.simplefilter("ignore")


def shared(name):
    """The path of real data, or None."""
    path = os.path.join(os.environ["KINTSUGI_SHARED_DATA"], name)
    return path if os.path.exists(path) else None


def spent(*words):
    """What bench-stage says that this took. Its threads wait as those of the tool do."""
    env = {**os.environ, "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "2000"}
    out = subprocess.run([STAGE, *map(str, words)], check=True, stdout=subprocess.PIPE, env=env).stdout
    return json.loads(out or "{}")


def ours(*words):
    """(seconds, processor seconds) that bench-stage needs for this."""
    said = spent(*words)
    return said.get("seconds"), said.get("cpu")


def tool(*words):
    subprocess.run([IMAGE, *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def clock(work):
    """(result, (seconds, processor seconds)): the best of three, one run when that takes longer than 10 s."""
    best = (float("inf"), 0)
    for _ in range(3):
        start, used = time.perf_counter(), time.process_time()
        result = work()
        best = min(best, (time.perf_counter() - start, time.process_time() - used))
        if best[0] > 10:
            break
    return result, best


def peer(name):
    """The module, or None after a line that says that it is not there."""
    try:
        return importlib.import_module(name)
    except Exception as why:  # a peer may fail in its own way while it is imported
        print(f"({name} is not there: {why})")
        return None


class Table:
    """Rows of a stage; the first is ours, the others are told by how much longer they take."""

    def __init__(self, title, errors):
        self.first = None
        print(f"\n### {title}\n\n| | wall s | x ours | CPU s | x ours | {' | '.join(errors)} | goal |")
        print("|---" * (6 + len(errors)) + "|")

    def row(self, name, spent, errors, goal=None):
        self.first = self.first or spent
        wall, cpu = (s / f for s, f in zip(spent, self.first))
        cells = " | ".join(e if isinstance(e, str) else f"{e:.3g}" for e in errors)
        verdict = "" if goal is None else f"{goal} x: {'reached' if wall >= goal else 'missed'}"
        print(f"| {name} | {spent[0]:.3f} | {wall:.1f} | {spent[1]:.3f} | {cpu:.1f} | {cells} | {verdict} |",
              flush=True)


def correlation(a, b):
    a, b = a.astype(float).ravel(), b.astype(float).ravel()
    return np.corrcoef(a, b)[0, 1]
