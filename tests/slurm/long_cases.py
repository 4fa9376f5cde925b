# SPDX-License-Identifier: MIT
"""long_cases.py: tests on the cluster that take minutes: they stop daemons, break nodes, kill the engine often."""
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import cases
from cases import CHAIN, HEAD
from lab import BASE, check, equal, slurm, wait_until

ROOT = Path(__file__).resolve().parents[2]


def many_crashes(lab):
    """50 random kill -9 during a run of 300 jobs: every job runs exactly once, the end is complete"""
    done = cases.crashes(lab, n=100, kills=50, longest=2.0, jobs="8", sleep=2)
    check(done >= 25, f"only {done} of 50 kills hit a running engine")


def hostile_200(lab):
    """200 hostile names"""
    cases.hostile_names(lab, 200)


def controller_stopped(lab):
    """slurmctld is stopped for 60 s in mid-run: the run waits, says so once, and ends well; nothing runs twice"""
    lab.write("Snakefile", CHAIN.format(n=12, sleep=2))
    child = lab.start("run", "-e", "slurm", "-j", "unlimited", "-q", "rules")
    wait_until(lambda: (lab.work / "witness").exists(), "the first job")
    pid = int((BASE / "slurmctld.pid").read_text())
    os.kill(pid, signal.SIGSTOP)
    time.sleep(60)
    os.kill(pid, signal.SIGCONT)
    equal(child.wait(600), 0, "exit status")
    lines = lab.read("witness").splitlines()
    equal(sorted(lines), sorted(f"{step} {i}" for step in "abc" for i in range(12)), "what ran")
    said = lab.said()
    check(said.count("does not take jobs") + said.count("does not tell the state of jobs") <= 4,
          "it is said once, not again and again")


def node_down(lab):
    """A node is set DOWN in mid-run: its jobs run again elsewhere, which is not their failure; the old cannot write"""
    lab.write("Snakefile", HEAD + """
rule all:
    input: expand("{i}.txt", i=range(6))
rule slow:
    output: "{i}.txt"
    resources: **ACCOUNT
    shell: "echo $SLURMD_NODENAME >> nodes; sleep 25; echo {wildcards.i} $SLURMD_NODENAME > {output}"
""")
    child = lab.start("run", "-e", "slurm", "-j", "unlimited", "-q", "rules")
    wait_until(lambda: (lab.work / "nodes").exists() and len(lab.read("nodes").split()) == 6, "6 running jobs")
    node = lab.read("nodes").split()[0]
    slurm("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
    try:
        equal(child.wait(600), 0, "exit status")
    finally:
        subprocess.run(["scontrol", "update", f"nodename={node}", "state=resume"], stderr=subprocess.DEVNULL,
                       env=dict(os.environ, SLURM_CONF=str(BASE / "slurm.conf")))  # it may have come back by itself
    states = [row["State"] for row in lab.accounting()]
    check("NODE_FAIL" in states, f"states {states}")
    for i in range(6):
        number, where = lab.read(f"{i}.txt").split()
        equal(number, str(i), "output")
        check(where != node, "the node that failed is avoided")


def out_of_memory(lab):
    """A job that needs more memory than it has fails with reason and peak; with retries and more memory it succeeds"""
    lab.write("eat.py", "import time\nx = bytearray(300 << 20)\ntime.sleep(6)\n")
    lab.write("Snakefile", """
rule all:
    input: "a"
rule eat:
    output: "a"
    retries: config["retries"]
    resources: slurm_account="maigan", mem_mb=lambda wildcards, attempt: 100 if attempt == 1 else 800
    shell: "python3 eat.py && touch {output}"
""")
    said = lab.flow("--config", "retries=0", status=1)
    by_kernel = (BASE / "cgroup.conf").exists()
    why = "OUT_OF_MEMORY (it needed more memory" if by_kernel else "probably for its memory"
    check(why in said, f"the reason:\n{said}")
    lab.flow("--config", "retries=1")
    check((lab.work / "a").exists(), "the second attempt had enough")
    memory = lab.sql("SELECT max_rss_kb FROM attempt WHERE rule = 'eat' ORDER BY id DESC LIMIT 1")[0][0]
    check(memory > 300 << 10, f"the store knows its peak memory: {memory} kB")


def time_limit(lab):
    """A job over its time limit hears SIGTERM about then, and fails with that reason; one within it is left alone"""
    lab.write("Snakefile", HEAD + """
rule slow:
    output: "a"
    resources: runtime=1, **ACCOUNT
    shell: "trap 'echo heard > heard' TERM; for n in {{1..3000}}; do sleep 0.2 || true; done; touch {output}"
rule ends:
    output: "b"
    resources: runtime=3, **ACCOUNT
    shell: "sleep 300; touch {output}"
rule within:
    output: "c"
    resources: runtime=2, **ACCOUNT
    shell: "sleep 90; touch {output}"
""")
    said = lab.flow("a", "b", "c", "--keep-going", status=1)
    check(lab.path("c").exists(), "the output of the one that took less than its runtime")
    check("TIMEOUT" in said and "longer than runtime" in said, "the reason")
    check("its runtime was nearly over" in said, "the reason of the one that ended by itself")
    equal(lab.read("heard"), "heard\n", "SIGTERM")


def requeued(lab):
    """Slurm starts a job again under its number: it is followed, what the first start left is removed, it is one"""
    lab.write("Snakefile", HEAD + """
rule slow:
    output: "a"
    resources: **ACCOUNT
    shell: "echo ${{SLURM_RESTART_COUNT:-}}. >> starts; [ ! -e {output} ] || touch dirty; "
           "echo part >> {output}; sleep 8; echo whole >> {output}"
""")
    child = lab.start("run", "-e", "slurm", "-j", "1", "--slurm-requeue", "-q", "rules")
    wait_until(lambda: (lab.work / "starts").exists(), "the job to run")
    slurm("scontrol", "requeue", next(iter(lab.queued())))
    equal(child.wait(600), 0, "exit status")
    equal(lab.read("starts").split(), [".", "1."], "starts")
    check(not (lab.work / "dirty").exists(), "the second start found what the first had left")
    equal(lab.read("a"), "part\nwhole\n", "the output")
    equal(len({row["JobID"] for row in lab.accounting()}), 1, "Slurm's number")
    check("once more" in lab.said(), "it is said")


def held(lab):
    """A held job is told of with the reason, and runs when it is released"""
    lab.write("Snakefile", HEAD + """
rule a:
    output: "a"
    resources: slurm_extra="--hold", **ACCOUNT
    shell: "touch {output}"
""")
    child = lab.start("run", "-e", "slurm", "-j", "1", "-q", "rules")
    wait_until(lambda: "waits: JobHeldUser" in lab.said(), "the reason", 120)
    slurm("scontrol", "release", next(iter(lab.queued())))
    equal(child.wait(300), 0, "exit status")


def account_removed(lab):
    """An account is taken away in mid-run: its jobs fail with Slurm's words, those of the other account go on"""
    lab.write("Snakefile", """
rule all:
    input: "b1", "b2"
rule first:
    output: "a"
    resources: slurm_account="maigan", mem_mb=50
    shell: "sleep 10; touch {output}"
rule second:
    input: "a"
    output: "b{i}"
    resources: slurm_account=lambda w: {"1": "maigan", "2": "brusko"}[w.i], mem_mb=50
    shell: "touch {output}"
""")
    child = lab.start("run", "-e", "slurm", "-j", "unlimited", "--keep-going", "-q", "rules")
    wait_until(lambda: list(lab.queued().values()) == ["RUNNING"], "the first job to run")
    slurm("sacctmgr", "-iQ", "remove", "user", lab.user, "where", "account=brusko")
    try:
        equal(child.wait(600), 1, "exit status")
    finally:
        slurm("sacctmgr", "-iQ", "add", "user", lab.user, "account=brusko")
    check((lab.work / "b1").exists() and not (lab.work / "b2").exists(), "the job of the other account")
    said = lab.said()
    for text in ("Slurm refuses the job: Invalid account", "because of the resource slurm_account", "--account=brusko"):
        check(text in said, f"'{text}' is not said")


def ten_thousand(lab):
    """10,000 jobs: at most 60 calls of sbatch and 20 s of submission; SIGINT cancels them all in chunks"""
    lab.count_calls("sbatch", "squeue", "sacct", "scancel", "scontrol")
    lab.write("Snakefile", """
rule all:
    input: expand("o/{i}", i=range(10000))
rule job:
    output: "o/{i}"
    resources: slurm_account="clive-b", mem_mb=50, slurm_extra="--hold"
    shell: "touch {output}"
""")
    child = lab.start("run", "-e", "slurm", "-j", "unlimited", "-q", "all")
    wait_until(lambda: lab.calls("sbatch") and len(lab.queued()) >= 10000,
               "10,000 jobs in the queue")
    sent = [float(call[1]) for call in lab.calls("sbatch")]
    print(f"# {len(sent)} calls of sbatch within {max(sent) - min(sent):.1f} s for 10,000 jobs", flush=True)
    check(len(sent) <= 60, f"{len(sent)} calls of sbatch")
    check(max(sent) - min(sent) < 20 or len(sent) <= 20, f"{max(sent) - min(sent)} s of submission")
    begun = time.monotonic()
    os.kill(child.pid, signal.SIGINT)
    equal(child.wait(600), 1, "exit status")
    cancels = len(lab.calls("scancel"))
    print(f"# cancelled in {time.monotonic() - begun:.1f} s by {cancels} calls of scancel", flush=True)
    wait_until(lambda: not lab.queued(), "the queue to be empty")


def pipeline(lab):
    """The whole image pipeline: GPU jobs in a GPU partition, the others not, each with its account"""
    tool = Path(lab.real_engine).parent / "kintsugi-image"
    if not tool.exists():
        return
    # The GPUs here are names only: where a job goes is what is tested, its computing is done by the CPU.
    shutil.copy(tool, lab.bin / "image-tool")
    wrapper = lab.bin / "kintsugi-image"
    wrapper.write_text(f"""#!/bin/bash
args=()
for word; do case $word in gpu) word=cpu ;; --device=gpu) word=--device=cpu ;; esac; args+=("$word"); done
exec {lab.bin}/image-tool "${{args[@]}}"
""")
    wrapper.chmod(0o755)
    shutil.copytree(ROOT / "workflow", lab.dir / "workflow")
    shutil.copytree(ROOT / "rules", lab.dir / "rules")
    lab.own()
    lab.run(lab.bin / "kintsugi-image", "phantom", ".", "--seed", "1", "--cycles", "2", "--channels", "2", "--planes",
            "5", "--grid", "2x2", "--tile", "128x160", "--overlap", "0.3", "--difficulty", "1")
    config = lab.dir / "workflow/config.yaml"
    account = ('{name: maigan, gpu_slots: 2, cpu_slots: 4, partition_gpu: "hpg-b200,hpg-turin", '
               'partition_cpu: hpg-default}')
    config.write_text(config.read_text().replace("accounts: []", f"accounts: [{account}]"))
    lab.flow("-s", lab.dir / "workflow/Snakefile", "--default-resources", "mem_mb=2000", "runtime=30", "-q", "rules",
             "progress")
    lab.settle(len(lab.tokens()))
    rows = lab.accounting("Account", "Partition", "ReqTRES")
    kinds = {"gpu" if "gres/gpu" in row["ReqTRES"] else "cpu": 0 for row in rows}
    for row in rows:
        gpu = "gres/gpu" in row["ReqTRES"]
        kinds["gpu" if gpu else "cpu"] += 1
        check(row["Account"] in ("maigan", "clive", "brusko"), f"account {row['Account']}")
        check(row["Partition"] in (("hpg-b200", "hpg-turin") if gpu else ("hpg-default",)), f"{row}")
    print(f"# {kinds}", flush=True)
    check(kinds.get("gpu") and kinds.get("cpu"), f"kinds of jobs: {kinds}")


CASES = [hostile_200, out_of_memory, time_limit, many_crashes, ten_thousand, pipeline, node_down, requeued, held,
         account_removed, controller_stopped]
