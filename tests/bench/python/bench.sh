#!/bin/sh
# bench.sh PYRUN [PYTHON]: the best of five runs of each program here, in the evaluator and in CPython, without
# what the empty program takes.
here=$(dirname "$0")
pyrun=$1
python=${2:-python3}
exec "$python" - "$here" "$pyrun" "$python" <<'END'
import glob, os, resource, subprocess, sys

here, pyrun, python = sys.argv[1:]
empty = "/dev/null"


def once(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def best(program, path):
    return min(once([program, path]) for _ in range(5))


start = best(pyrun, empty), best(python, empty)
print(f"{'program':16} {'evaluator':>10} {'CPython':>10} {'ratio':>7}")
for path in sorted(glob.glob(os.path.join(here, "*.py"))):
    ours, theirs = best(pyrun, path) - start[0], best(python, path) - start[1]
    print(f"{os.path.basename(path)[:-3]:16} {ours * 1000:8.0f}ms {theirs * 1000:8.0f}ms {ours / theirs:6.2f}x")
END
