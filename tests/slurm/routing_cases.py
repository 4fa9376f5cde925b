# SPDX-License-Identifier: MIT
"""routing_cases.py: accounts, live routing, moving of waiting jobs, device pools, on the test cluster. Limits of
accounts are for all their users, so each case has accounts of its own."""
import itertools
import json
import os
import re
import threading
import time
from contextlib import contextmanager

from lab import Failure, Lab, check, equal, slurm, wait_until

CHANGES = threading.Lock()
NUMBERS = itertools.count()

LISTED = """
resources:
  accounts:
    - {{name: {0}, gpu_slots: 1, cpu_slots: 4, partition_gpu: "hpg-b200,hpg-turin", partition_cpu: hpg-default}}
    - {{name: {1}, gpu_slots: 2, cpu_slots: 8, partition_gpu: "hpg-b200,hpg-turin", partition_cpu: hpg-default}}
"""

FIVE = """
def account(wildcards):
    free = {a["name"]: a["mem_avail_gb"] for a in config.get("live_accounts", [])}
    names = [a["name"] for a in config["resources"]["accounts"]]
    return config.get("fixed") or max(names, key=lambda name: free.get(name, 0))
rule all:
    localrule: True
    input: expand("out/{i}.txt", i=range(5))
rule work:
    output: "out/{i}.txt"
    threads: 4
    resources: mem_mb=102400, slurm_account=account, slurm_partition="hpg-default"
    shell: "sleep {config[seconds]}; echo $SLURM_JOB_ACCOUNT > {output}"
"""


def sacctmgr(*words, must=True):
    with CHANGES:  # two changes at once may fail
        try:
            slurm("sacctmgr", "-iQ", *words)
        except Failure:
            if must:
                raise


def forget(name):
    sacctmgr("delete", "user", "name=kfsmith,kfdrew", f"account={name}", must=False)
    sacctmgr("delete", "account", name, must=False)
    sacctmgr("delete", "qos", name, must=False)


@contextmanager
def accounts(*limits):
    """Accounts with these limits, of kfsmith and kfdrew, for a while."""
    names = [f"kf{os.getpid()}x{next(NUMBERS)}" for _ in limits]
    for name, tres in zip(names, limits):
        sacctmgr("add", "qos", name, "set", f"GrpTRES={tres}")
        sacctmgr("add", "account", name, "set", f"qos={name}", f"defaultqos={name}")
        for user in ("kfsmith", "kfdrew"):
            sacctmgr("add", "user", user, f"account={name}")
    try:
        yield names
    finally:
        slurm("scancel", "-A", ",".join(names))
        for name in names:
            wait_until(lambda: not slurm("squeue", "-h", "-A", name), f"the jobs of {name} to be gone")
            forget(name)


@contextmanager
def neighbour(account, *request):
    """kfdrew runs a job there."""
    drew = Lab("/bin/true", "drew", "kfdrew")
    drew.run("/usr/bin/env", "sbatch", "--parsable", "-A", account, "-p", "hpg-default", "-o", "/dev/null", *request,
             "--wrap", "sleep 900")
    number = re.search(r"^\d+$", drew.said(), re.MULTILINE)[0]  # a site may add its own words
    wait_until(lambda: slurm("squeue", "-h", "-j", number, "-o", "%T").strip() == "RUNNING", "the neighbour's job")
    try:
        yield number
    finally:
        slurm("scancel", number)
        drew.close(False)


def accounts_of(lab):
    return sorted(row["Account"] for row in lab.accounting("Account"))


def reasons(lab):
    names = ",".join(lab.tokens())
    text = slurm("squeue", "-h", "-r", "-n", names, "-o", "%T %a %r") if names else ""
    return sorted(text.splitlines())


def live_routing(lab):
    """A neighbour fills an account: jobs bound to it wait for QOSGrpMemLimit, with live routing all run on the other"""
    two = "cpu=40,mem=312G,gres/gpu=1", "cpu=80,mem=625G,gres/gpu=2"
    with accounts(*two) as names, neighbour(names[0], "--mem=256G", "-c8"):
        lab.write("Snakefile", FIVE)
        lab.write("config.yaml", LISTED.format(*names))
        options = ("--configfile", "config.yaml", "--config", "seconds=5")
        bound = lab.start("run", "-e", "slurm", "-j20", "--no-reroute", *options, f"fixed={names[0]}")
        wait_until(lambda: reasons(lab) == [f"PENDING {names[0]} QOSGrpMemLimit"] * 5, "five jobs to wait for memory")
        bound.terminate()
        bound.wait(120)
        said = lab.flow(*options)
        check("live_accounts: [" in said, "the run says what it has detected")
        lab.settle(10)
        equal([lab.read(f"out/{i}.txt").strip() for i in range(5)], [names[1]] * 5, "accounts, as the jobs saw them")
        rows = [row for row in lab.accounting("Account", "Start", "Submit") if row["State"] == "COMPLETED"]
        equal([row["Account"] for row in rows], [names[1]] * 5, "accounts, by Slurm's accounting")


FIRST = """
rule first:
    output: "first/{i}.txt"
    resources: mem_mb=1000, slurm_account=account, slurm_partition="hpg-default"
    shell: "sleep 15; touch {output}"
rule work:
    input: "first/{i}.txt"
"""


def waiting_jobs_move(lab):
    """A neighbour comes in mid-run: jobs that then wait for the account's memory go to another, those that run stay"""
    two = "cpu=40,mem=312G,gres/gpu=1", "cpu=80,mem=625G,gres/gpu=2"
    with accounts(*two) as names:
        lab.write("Snakefile", FIVE.replace("rule work:\n", FIRST.lstrip()))
        lab.write("config.yaml", LISTED.format(*names))
        child = lab.start("run", "-e", "slurm", "-j20", "--reroute-after", "4", "--configfile", "config.yaml",
                          "--config", "seconds=1", f"fixed={names[0]}")
        wait_until(lambda: reasons(lab) == [f"RUNNING {names[0]} None"] * 5, "the first jobs to run")
        with neighbour(names[0], "--mem=256G", "-c8"):
            equal(child.wait(300), 0, "exit status")
            lab.settle(10)
        equal(accounts_of(lab), [names[0]] * 5 + [names[1]] * 5, "accounts, by Slurm's accounting")
        equal(len(re.findall(f"goes from account {names[0]} \\(QOSGrpMemLimit\\) to {names[1]}", lab.said())), 5,
              "said")
        equal([lab.read(f"out/{i}.txt").strip() for i in range(5)], [names[1]] * 5, "as the jobs saw it")


def updates_forbidden(lab):
    """Where the site forbids updates, waiting jobs are cancelled and submitted anew to the other account"""
    two = "cpu=40,mem=312G,gres/gpu=1", "cpu=80,mem=625G,gres/gpu=2"
    with accounts(*two) as names, neighbour(names[0], "--mem=256G", "-c8"):
        lab.write("Snakefile", FIVE)
        lab.write("config.yaml", LISTED.format(*names))
        lab.stand_in("scontrol",
                     '[ "$1" != update ] || { echo "slurm_update error: Access/permission denied" >&2; exit 1; }\n'
                     'exec "$REAL" "$@"')
        lab.flow("--reroute-after", "4", "--configfile", "config.yaml", "--config", "seconds=1", f"fixed={names[0]}")
        lab.settle(10)
        equal([lab.read(f"out/{i}.txt").strip() for i in range(5)], [names[1]] * 5, "accounts, as the jobs saw them")
        done = [row["Account"] for row in lab.accounting("Account") if row["State"] == "COMPLETED"]
        equal(done, [names[1]] * 5, "accounts of completed jobs")


def full_accounts(lab):
    """When every account is full the run says of whose jobs, submits nothing, and waits if it is asked to"""
    with accounts("cpu=16,mem=64G,gres/gpu=0") as names:
        lab.write("Snakefile", FIVE.replace("102400", "1024").replace("threads: 4", "threads: 1"))
        lab.write("config.yaml", f"resources:\n  accounts:\n    - {{name: {names[0]}, partition_cpu: hpg-default}}\n")
        options = ("--configfile", "config.yaml", "--config", "seconds=0")
        with neighbour(names[0], "--mem=60G", "-c16"):
            said = lab.flow(*options, status=1)
            check("every account of this workflow is full" in said, said)
            check(f"{names[0]}: kfdrew 60 GB, 16 CPUs" in said, said)
            equal(lab.tokens(), [], "submissions")
            child = lab.start("run", "-e", "slurm", "-j20", "--wait-for-capacity", *options)
            wait_until(lambda: "waiting until one has room" in lab.said(), "the engine to wait")
        equal(child.wait(300), 0, "exit status")
        equal(len(lab.tokens()) > 0, True, "submissions")


POOLS = """
rule all:
    localrule: True
    input: expand("out/{cycle}.{channel}.txt", cycle=range(1, 10), channel=range(1, 6))
rule stitch:
    output: "out/{cycle}.{channel}.txt"
    threads: 1
    resources:
        mem_mb=1000, slurm_account="auto", gres="gpu:1", device=config["device"], runtime=5, cpu_threads=2
    shell: 'test "$KINTSUGI_DEVICE_MODE" = {resources.device}; '
           'sleep $(test {resources.device} = gpu && echo {config[gpu]} || echo {config[cpu]}); '
           'echo {resources.device} > {output}'
"""


def spans(lab):
    """(start, end, GPU?) of every job, by Slurm's accounting."""
    stamp = lambda text: time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S"))
    return [(stamp(row["Start"]), stamp(row["End"]), "gpu" in row["ReqTRES"])
            for row in lab.accounting("Start", "End", "ReqTRES") if row["State"] == "COMPLETED"]


def concurrency(jobs):
    """[(second, GPU jobs, CPU jobs)] over time."""
    first, last = int(min(s for s, _, _ in jobs)), int(max(e for _, e, _ in jobs))
    return [(t - first, sum(s <= t < e and g for s, e, g in jobs), sum(s <= t < e and not g for s, e, g in jobs))
            for t in range(first, last + 1)]


def device_pools(lab):
    """45 jobs of 9 cycles over (3 + 11, 2 + 8) slots: 24 at once with device: auto, 5 on GPUs alone, as simulated"""
    two = "cpu=104,mem=900G,gres/gpu=3", "cpu=80,mem=900G,gres/gpu=2"
    gpu, cpu = 20, 70
    with accounts(*two) as names:
        lab.write("Snakefile", POOLS)
        lab.write("config.yaml",
                  LISTED.format(*names).replace("gpu_slots: 1, cpu_slots: 4", "gpu_slots: 3, cpu_slots: 11"))
        lab.write("scenario.yaml", json.dumps({
            "accounts": [{"name": names[0], "cpu": 104, "mem_gb": 900, "gpu": 3},
                         {"name": names[1], "cpu": 80, "mem_gb": 900, "gpu": 2}],
            "times": {"all": 0.001},                 # of the others the run itself tells
            "delays": {"turn": 1, "notice": 1}}))
        found = {}
        for device, policy in (("auto", "gpu+cpu"), ("gpu", "live")):
            options = ("--configfile", "config.yaml", "--config", f"gpu={gpu}", f"cpu={cpu}", f"device={device}",
                       "cpu_time_multiplier=3.5")
            before = len(spans(lab)) if lab.tokens() else 0
            lab.flow("--forceall", *options)
            wait_until(lambda: len(spans(lab)) >= before + 45, "the accounting of all jobs")
            jobs = sorted(spans(lab))[before:]
            line = concurrency(jobs)
            simulated = lab.run("simulate", "--scenario", "scenario.yaml", "--policy", policy, "--json", "--forceall",
                                *options)
            found[device] = {"line": line, "makespan": max(e for _, e, _ in jobs) - min(s for s, _, _ in jobs),
                             "simulated": json.loads(re.search(r"\{.*\}", simulated)[0])["makespan_s"]}
        print("# " + json.dumps(found))
        equal(max(g + c for _, g, c in found["auto"]["line"]), 24, "jobs at once on both pools")
        equal(max(g for _, g, c in found["gpu"]["line"]), 5, "jobs at once on GPUs alone")
        check(found["auto"]["makespan"] < found["gpu"]["makespan"], "both pools are sooner")
        for device, one in found.items():
            off = abs(one["simulated"] - one["makespan"]) / one["makespan"]
            check(off < 0.05, f"device {device}: simulated {one['simulated']} s, took {one['makespan']} s")


def groups_are_assigned(lab):
    """Groups with account "auto" go to the accounts of the list, as single jobs do"""
    lab.write("Snakefile", """
rule all:
    input: expand("{i}.b", i=range(4))
rule a:
    output: "{i}.a"
    group: "both"
    resources: slurm_account="auto", mem_mb=50
    shell: "touch {output}"
rule b:
    input: "{i}.a"
    output: "{i}.b"
    group: "both"
    resources: slurm_account="auto", mem_mb=50
    shell: "touch {output}"
""")
    with accounts("cpu=16", "cpu=16") as names:
        rows = "".join(f"    - {{name: {name}, gpu_slots: 1, cpu_slots: 1}}\n" for name in names)
        lab.write("config.yaml", f"resources:\n  accounts:\n{rows}")
        lab.flow("--configfile", "config.yaml")
        lab.settle(4)
        equal(accounts_of(lab), sorted(names * 2), "accounts")


def accounts_in_capitals(lab):
    """A config may list accounts in capitals, as sbatch takes them, too: they are those that Slurm has in small letters"""
    lab.write("Snakefile", """
rule a:
    output: "{i}.a"
    resources: slurm_account=lambda wildcards: config["by_rule"] if wildcards.i == "0" else "auto", mem_mb=50
    shell: "touch {output}"
""")
    with accounts("cpu=16", "cpu=16") as names:
        rows = "".join(f"    - {{name: {name.upper()}, gpu_slots: 1, cpu_slots: 1}}\n" for name in names)
        lab.write("config.yaml", f"by_rule: {names[0].upper()}\nresources:\n  accounts:\n{rows}")
        said = lab.flow("0.a", "1.a", "2.a", "--configfile", "config.yaml")
        check("none of the accounts" not in said, "a warning")
        lab.settle(3)
        equal(accounts_of(lab), sorted([*names, names[0]]), "accounts")


def partition_of_gpus_alone(lab):
    """An account that names no partition for CPUs: its jobs on CPUs leave that of the GPUs"""
    lab.write("Snakefile", """
rule all:
    input: expand("{i}.a", i=range(6))
rule a:
    output: "{i}.a"
    resources: slurm_account="auto", device="auto", gres="gpu:1", slurm_partition="hpg-b200", mem_mb=50, runtime=5
    shell: "sleep 2; echo {resources.device} $SLURM_JOB_PARTITION > {output}"
""")
    with accounts("cpu=64,gres/gpu=1") as names:
        lab.write("config.yaml", "cpu_time_multiplier: 1.2\nresources:\n  accounts:\n"
                  f"    - {{name: {names[0]}, gpu_slots: 1, cpu_slots: 6, partition_gpu: hpg-b200}}\n")
        lab.flow("--configfile", "config.yaml")
        where = {lab.read(f"{i}.a").strip() for i in range(6)}
        equal(where, {"gpu hpg-b200", "cpu hpg-default"}, "devices and partitions")
        lab.settle(6)


CASES = [groups_are_assigned, accounts_in_capitals, partition_of_gpus_alone, live_routing, waiting_jobs_move,
         updates_forbidden, full_accounts]
LONG = [device_pools]
