#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What many active jobs cost the engine: its own CPU time and memory, on a stand-in for Slurm whose commands answer like
the real ones, and whose jobs run until they are told to end.

    tests/bench/active_jobs.py build/kintsugi-flow [--jobs 20000] [--single] [--pending]

Prints, a line each: submitting all jobs; a second without any question (the engine looks for the jobs' own records four
times); one squeue; a second run that takes all up after kill -9; the ends of all jobs; and the peak of memory. --single: one sbatch for each job, no arrays;
--pending: they wait for their turn, and then run.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SNAKEFILE = """
rule all:
    input: expand("o/{{i}}", i=range({jobs}))
rule job:
    output: touch("o/{{i}}")
    resources: mem_mb=100, runtime=60
    shell: "true"
"""
COMMANDS = {
    # a line for each submission: number, elements, token
    "sbatch": r"""cat > /dev/null
last=single
for word; do case $word in --array=*) last=${word##*-} ;; --job-name=*) token=${word#*=} ;; esac; done
exec 9>> $SITE/lock
flock 9
read -r id < $SITE/id
id=$((id + 1000))
echo $id > $SITE/id
echo "$id $last $token" >> $SITE/jobs
echo $id""",
    "squeue": r"""echo x >> $SITE/polls
awk -v state="$(cat $SITE/state)" 'BEGIN { reason = state == "PENDING" ? "Priority" : "None"
    node = state == "PENDING" ? "" : "node7" }
    $2 == "single" { printf "%s|%s|%s|0|0|%s|%s|%s|\n", $1, $1, state, reason, node, $3; next }
    { for (i = 0; i <= $2; i++) printf "%s_%d|%d|%s|0|0|%s|%s|%s|\n", $1, i, $1 + i, state, reason, node, $3 }' $SITE/jobs""",
    "scontrol": "echo 'MinJobAge = 300 sec'; echo 'MaxArraySize = 1001'",
    "sacct": "", "scancel": "", "sacctmgr": "exit 1", "sinfo": "", "sshare": "",
}


class Site:
    def __init__(self, folder, pending):
        self.folder = folder
        self.folder.mkdir()
        (folder / "jobs").touch()
        (folder / "polls").touch()
        (folder / "id").write_text("1000\n")
        self.say("PENDING" if pending else "RUNNING")
        for name, text in COMMANDS.items():
            path = folder / name
            path.write_text(f"#!/bin/sh\nSITE={folder}\n{text}\n")
            path.chmod(0o755)

    def say(self, state):
        (self.folder / "state").write_text(state)

    def submissions(self):
        lines = [line.split() for line in (self.folder / "jobs").read_text().splitlines() if line.count(" ") == 2]
        return [(token, 1 if last == "single" else int(last) + 1, number) for number, last, token in lines]

    def submitted(self):
        return sum(n for _, n, _ in self.submissions())

    def polls(self):
        return (self.folder / "polls").stat().st_size // 2

    def end_all(self, work):
        now = int(time.time())
        for token, n, number in self.submissions():
            for i in range(n):
                path = work / f".snakemake/slurm/done/{token}.{i}"
                path.with_suffix(".new").write_text(f"0 {number} 0 {now} {now} node7 untold\n0m0s 0m0s\n0m0s 0m0s\n")
                path.with_suffix(".new").rename(path)


def cpu_s(pid):
    """Of the process itself, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_mb(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0) / 1024


def wait_for(condition, child):
    while not condition():
        if child.poll() is not None:
            sys.exit(f"the run has ended with {child.returncode}")
        time.sleep(0.05)


def begin(engine, work, site, poll_s, o):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "SNAKEMAKE"))}
    words = [engine, "run", "-e", "slurm", "-j", "unlimited", "-q", "all", "--slurm-no-account",
             "--seconds-between-status-checks", str(poll_s)] + (["--slurm-array-jobs", "0"] if o.single else [])
    with open(work / "log", "wb") as log:
        return subprocess.Popen(words, cwd=work, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                env=env | {"PATH": f"{site.folder}:{env['PATH']}"})


def quiet_s(child, seconds):
    """CPU time in so many seconds."""
    before = cpu_s(child.pid)
    time.sleep(seconds)
    return cpu_s(child.pid) - before


def measure(engine, folder, o):
    work = folder / "work"
    work.mkdir()
    site = Site(folder / "site", o.pending)
    (work / "Snakefile").write_text(SNAKEFILE.format(jobs=o.jobs))
    start = time.monotonic()
    child = begin(engine, work, site, 10, o)
    try:
        wait_for(lambda: site.submitted() == o.jobs, child)
        print(f"submitting {o.jobs} jobs: {cpu_s(child.pid):.2f} s CPU, {time.monotonic() - start:.1f} s in all", flush=True)
        polls = site.polls()
        wait_for(lambda: site.polls() > polls + 1, child)  # two later: the first changes have settled
        time.sleep(2)
        idle = quiet_s(child, 6) / 6
        print(f"a second without questions: {1000 * idle:.0f} ms CPU", flush=True)
        polls = site.polls()
        used = quiet_s(child, 40)
        n = site.polls() - polls
        print(f"one squeue of {o.jobs} rows: {1000 * (used - 40 * idle) / n:.0f} ms CPU", flush=True)
        child.send_signal(signal.SIGKILL)
        child.wait()
        start, polls = time.monotonic(), site.polls()
        child = begin(engine, work, site, 10, o)
        wait_for(lambda: site.polls() > polls + 1, child)
        print(f"taking all up after kill -9: {cpu_s(child.pid):.2f} s CPU, {time.monotonic() - start:.1f} s in all",
              flush=True)
        if site.submitted() != o.jobs:
            sys.exit(f"{site.submitted()} jobs were submitted, not {o.jobs}")
        if o.pending:
            site.say("RUNNING")
            before, polls = cpu_s(child.pid), site.polls()
            wait_for(lambda: site.polls() > polls + 1, child)
            print(f"all start: {cpu_s(child.pid) - before:.2f} s CPU", flush=True)
        before, start = cpu_s(child.pid), time.monotonic()
        site.end_all(work)
        told = time.monotonic()
        used, memory = before, peak_mb(child.pid)
        while child.poll() is None:
            used, memory = cpu_s(child.pid) or used, peak_mb(child.pid) or memory  # 0: it has just ended
            time.sleep(0.02)
        print(f"the ends of all: {used - before:.2f} s CPU; they come within {told - start:.1f} s, and the run ends "
              f"{time.monotonic() - told:.1f} s later", flush=True)
        print(f"peak memory: {memory:.0f} MB, exit status {child.returncode}", flush=True)
    finally:
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
            child.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--jobs", type=int, default=20000)
    parser.add_argument("--single", action="store_true")
    parser.add_argument("--pending", action="store_true")
    o = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="active-jobs-"))
    try:
        measure(os.path.abspath(o.engine), folder, o)
    finally:
        shutil.rmtree(folder)


main()
