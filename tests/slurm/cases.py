# SPDX-License-Identifier: MIT
"""cases.py: the quick tests on the cluster. A case is a function with a sentence: it gets a Lab, raises what is off."""
import csv
import os
import random
import re
import signal
import time

from lab import HERE, PATIENCE, check, equal, slurm, wait_until

HEAD = 'ACCOUNT = dict(slurm_account="maigan", mem_mb=50)\n'


def accounts_and_partitions(lab):
    """Account, partition, CPUs, memory and GPUs of every job are what its rule says, by Slurm's accounting"""
    lab.write("Snakefile", """
rule all:
    input: "gpu.txt", expand("cpu/{i}.txt", i=range(12))
rule gpu:
    output: "gpu.txt"
    resources: mem_mb=300, slurm_account="maigan", slurm_partition="hpg-b200,hpg-turin", gres="gpu:1", runtime="1h"
    shell: "echo $CUDA_VISIBLE_DEVICES > {output}"
rule cpu:
    output: "cpu/{i}.txt"
    threads: 2
    resources: mem_mb=100, slurm_account="clive-b", slurm_extra="--nice=3 '--licenses='"
    shell: "echo $SLURM_CPUS_PER_TASK {wildcards.i} > {output}"
""")
    lab.flow()
    lab.settle(13)
    rows = lab.accounting("Account", "Partition", "AllocCPUS", "ReqMem", "ReqTRES", "TimelimitRaw")
    equal(len(rows), 13, "jobs")
    for row in rows:
        equal(row["State"], "COMPLETED", "state")
        gpu = "gres/gpu=1" in row["ReqTRES"]
        equal(row["Account"], "maigan" if gpu else "clive-b", "account")
        check(row["Partition"] in (("hpg-b200", "hpg-turin") if gpu else ("hpg-default",)),
              f"partition {row['Partition']}")
        equal(row["ReqMem"], "300M" if gpu else "100M", "memory")
        equal(row["AllocCPUS"], "1" if gpu else "2", "CPUs")
    equal([row["TimelimitRaw"] for row in rows if "gpu" in row["ReqTRES"]], ["60"], "time limit")
    equal(len({row["JobID"].split("_")[0] for row in rows}), 2, "12 alike jobs are one array")
    check(lab.read("gpu.txt").strip().isdigit(), "the GPU job sees its GPU")
    equal(lab.read("cpu/3.txt"), "2 3\n", "an output")
    left = [p for p in (lab.work / ".snakemake/slurm_logs").rglob("*") if p.is_file()]
    equal(left, [], "logs of jobs that ended well")
    equal(lab.sql("SELECT count(*) FROM submission WHERE status <> 'ended'"), [(0,)], "open submissions")
    equal(lab.sql("SELECT count(*) FROM attempt WHERE external_id <> ''"), [(13,)], "attempts in the store")


def partition_config(lab):
    """--slurm-partition-config gives a job the partition that it fills most; what fits none goes to the default one"""
    lab.write("site.yaml", """
partitions:
  short: {max_runtime: "0:10", max_threads: 4, max_mem_mb: 1000}
  burst: {max_runtime: 2d, max_threads: 4, max_mem_mb: 1000}
  hpg-b200: {max_gpu: 2, max_threads: 4, available_gpu_models: [b200]}
""")
    lab.write("Snakefile", HEAD + """
rule all:
    input: "quick", "long", "gpu", "named", "large"
rule quick:
    output: "quick"
    resources: **ACCOUNT, runtime=5
    shell: "echo $SLURM_JOB_PARTITION > {output}"
rule long:
    output: "long"
    resources: **ACCOUNT, runtime=100
    shell: "echo $SLURM_JOB_PARTITION > {output}"
rule gpu:
    output: "gpu"
    resources: **ACCOUNT, runtime=5, gres="gpu:1"
    shell: "echo $SLURM_JOB_PARTITION > {output}"
rule named:
    output: "named"
    resources: **ACCOUNT, runtime=5, slurm_partition="hpg-default"
    shell: "echo $SLURM_JOB_PARTITION > {output}"
rule large:
    output: "large"
    threads: 5
    resources: **ACCOUNT, runtime=10000
    shell: "echo $SLURM_JOB_PARTITION > {output}"
""")
    lab.flow("--slurm-partition-config", "site.yaml")
    lab.settle(5)
    for rule, partition in {"quick": "short", "long": "burst", "gpu": "hpg-b200", "named": "hpg-default",
                            "large": "hpg-default"}.items():
        equal(lab.read(rule), partition + "\n", f"the partition of rule {rule}")
    check("has room for what rule large asks for" in lab.said(), "rule large is told of")
    lab.write("site.yaml", "partitions: {short: {max_runtme: 5}}\n")
    said = lab.flow("--slurm-partition-config", "site.yaml", "--forceall", status=2)
    check("site.yaml: partition 'short': 'max_runtme' is not known here" in said, "a misspelt limit")


def efficiency(lab):
    """--slurm-efficiency-report says of each job what it used of what it asked for, and where: not on excluded nodes"""
    lab.write("Snakefile", HEAD + """
rule all:
    input: expand("idle/{i}", i=range(12)), "busy"
rule idle:
    output: "idle/{i}"
    threads: 2
    resources: **ACCOUNT
    shell: "sleep 2; touch {output}"
rule busy:
    output: "busy"
    resources: **ACCOUNT
    shell: "sh -c 'ulimit -t 1; while :; do :; done' || touch {output}"
""")
    said = lab.flow("--slurm-efficiency-report", "--slurm-efficiency-report-path", "told",
                    "--slurm-efficiency-threshold", "0.05", "--slurm-exclude-failed-nodes", "cpu1")
    check(re.search(r"Rule idle: 12 jobs used [0-9] % of the CPUs that they held", said), "idle jobs are told")
    check("Rule busy:" not in said, "a busy one is not")
    files = list((lab.work / "told").glob("efficiency_report_*.csv"))
    equal(len(files), 1, "reports")
    with open(files[0], newline="") as file:
        rows = list(csv.DictReader(file))
    equal(len(rows), 13, "rows")
    for row in rows:
        equal(row["NCPUS"], "2" if row["RuleName"] == "idle" else "1", "CPUs")
        equal(row["RequestedMem_MB"], "50", "memory")
        equal(row["Node"], "cpu2", "the node")
        check(float(row["Elapsed_sec"]) > 0.9, f"time {row}")
        check((float(row["CPU Efficiency (%)"]) > 5) == (row["RuleName"] == "busy"), f"efficiency {row}")


def failures(lab):
    """A failing job is told with status, node and log; a rejected one with Slurm's words and its place; others go on"""
    lab.write("Snakefile", """
ACC = "maigan"
rule all:
    input: "good.txt", "bad.txt", "refused.txt", "never.txt", "signal.txt", "absent.txt"
rule good:
    output: "good.txt"
    resources: slurm_account=ACC, mem_mb=50
    shell: "sleep 1; echo good > {output}"
rule bad:
    output: "bad.txt"
    resources: slurm_account=ACC, mem_mb=50
    shell: "echo partial > {output}; echo this is why >&2; exit 37"
rule refused:
    output: "refused.txt"
    resources: slurm_account="nobody", mem_mb=50
    shell: "touch {output}"
rule never:
    output: "never.txt"
    resources: slurm_account=ACC, slurm_partition="short", runtime=600, mem_mb=50
    shell: "touch {output}"
rule signal:
    output: "signal.txt"
    resources: slurm_account=ACC, mem_mb=50
    shell: "kill -SEGV $$"
rule absent:
    output: "absent.txt"
    resources: slurm_account=ACC, mem_mb=50
    shell: "echo it is elsewhere"
""")
    said = lab.flow("--keep-going", "--latency-wait", "1", status=1)
    equal(lab.read("good.txt"), "good\n", "the independent job")
    check(not (lab.work / "bad.txt").exists(), "the output of the failed job is removed")
    for text in ("exit code 37", "this is why", " on cpu", "Invalid account", "resource slurm_account", "Snakefile:13",
                 "PartitionTimeLimit", "can never start", "exit code 139"):
        check(text in said, f"'{text}' is not said")
    log = next((lab.work / ".snakemake/slurm_logs/absent").rglob("*.log"))
    check("it is elsewhere" in log.read_text(), "the log of the job without its output is kept")
    check(f"log: {log} (check" in said, "and named")
    check(f"external_jobid: {log.stem}" in said, "so is the job")
    lab.settle(5)
    states = sorted(row["State"].split()[0] for row in lab.accounting())
    equal(states, ["CANCELLED", "COMPLETED", "COMPLETED", "FAILED", "FAILED"], "states")
    logs = [p.read_text() for p in (lab.work / ".snakemake/slurm_logs/bad").rglob("*.log")]
    check(logs and "this is why" in logs[0], "the log of the failed job is kept")


HOSTILE = ["a b", "semi;touch PWNED", "$(touch PWNED)", "`touch PWNED`", "it's", 'say "hi"', "new\nline", "tab\there",
           "*", "~", "%j%A", "back\\slash", "|touch PWNED", "&touch PWNED", "-rf", "--help", "ünï", "é\u0301",
           "a=b", "#SBATCH --array=0-3", "$HOME", "!", "x\ry"]


def hostile_names(lab, count=60):
    """Names with blanks, quotes, newlines, ';' and $() reach jobs unharmed and execute nothing"""
    dice = random.Random(5)
    names = list(HOSTILE)
    while len(names) < count:
        name = "".join(dice.choice(HOSTILE + ["x", "y"]) for _ in range(3)) + str(len(names))
        if len(name) < 120 and name not in names:
            names.append(name)
    lab.write("names.json", __import__("json").dumps(names))
    lab.write("Snakefile", """
import json
NAMES = json.load(open("names.json"))
wildcard_constraints: name="[^<>]+"
rule all:
    input: expand("out/<{name}>.txt", name=NAMES)
rule hostile:
    output: "out/<{name}>.txt"
    params: text=lambda w: w.name
    resources: slurm_account="maigan", mem_mb=20
    shell: "printf %s {params.text:q} > {output:q}"
""")
    lab.flow("-q", "all")
    for name in names:
        equal(lab.read(f"out/<{name}>.txt"), name, f"the file of {name!r}")
    pwned = [str(p) for p in lab.dir.rglob("PWNED")]
    equal(pwned, [], "executed text")
    equal(len(list((lab.work / "out").iterdir())), len(names), "files")


def unusual_texts(lab):
    """A job whose command has lines that end as in DOS, or with outputs for megabytes of script, which Slurm refuses"""
    lab.write("Snakefile", """
rule dos:
    output: "dos.txt"
    resources: slurm_account="maigan", mem_mb=50
    shell: "printf 'a\\r\\nb' > {output}"
rule many:
    output: [f"out/{'x' * 200}{i}" for i in range(22000)]
    resources: slurm_account="maigan", mem_mb=400
    shell: "cd out; for i in {{0..21999}}; do echo %s$i; done | xargs touch"
""" % ("x" * 200))
    lab.flow("dos.txt", "out/" + "x" * 200 + "0", "-q", "rules", "progress")
    equal(lab.path("dos.txt").read_bytes(), b"a\r\nb", "the text")
    equal(len(list(lab.path("out").iterdir())), 22000, "files")
    equal(list(lab.path(".snakemake/slurm/jobs").iterdir()), [], "files that are left")


def unusual_text_of_killed_run(lab):
    """The file with the text of such a job goes with it also where a later run has taken the job over"""
    lab.write("Snakefile", """
rule dos:
    output: "dos.txt"
    resources: slurm_account="maigan", mem_mb=50
    shell: "touch begun; until [ -e go ]; do sleep 0.1; done; printf 'a\\r\\nb' > {output}"
""")
    child = lab.start("run", "-e", "slurm", "-j", "unlimited", "-q", "rules", "progress")
    wait_until(lambda: lab.path("begun").exists(), "the job to begin")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    equal(len(list(lab.path(".snakemake/slurm/jobs").iterdir())), 1, "files of the job")
    lab.write("go", "")
    lab.flow("-q", "rules", "progress")
    equal(len(lab.tokens()), 1, "submissions")
    equal(list(lab.path(".snakemake/slurm/jobs").iterdir()), [], "files that are left")


CHAIN = HEAD + """
N = {n}
rule all:
    input: expand("c/{{i}}", i=range(N))
rule first:
    output: "a/{{i}}"
    resources: **ACCOUNT
    shell: "echo a {{wildcards.i}} >> witness; sleep {sleep}; echo {{wildcards.i}} > {{output}}"
rule second:
    input: "a/{{i}}"
    output: "b/{{i}}"
    resources: **ACCOUNT
    shell: "echo b {{wildcards.i}} >> witness; cp {{input}} {{output}}"
rule third:
    input: "b/{{i}}"
    output: "c/{{i}}"
    resources: **ACCOUNT
    shell: "echo c {{wildcards.i}} >> witness; cp {{input}} {{output}}"
"""


def crashes(lab, n=15, kills=4, longest=2.0, jobs="unlimited", sleep=0.3):
    """kill -9 of the engine at random moments: every job runs exactly once, the end is complete"""
    lab.write("Snakefile", CHAIN.format(n=n, sleep=sleep))
    dice, done = random.Random(os.getpid()), 0
    for _ in range(kills):
        child = lab.start("run", "-e", "slurm", "-j", jobs, "-q", "rules", "progress")
        time.sleep(dice.uniform(0.02, longest))
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
            done += 1
        child.wait()
    lab.flow("-q", "rules", "progress")
    lab.settle(3 * n)
    lines = lab.read("witness").splitlines()
    equal(sorted(lines), sorted(f"{step} {i}" for step in "abc" for i in range(n)), "what ran")
    for i in range(n):
        equal(lab.read(f"c/{i}"), f"{i}\n", f"output {i}")
    said = lab.flow()
    check("Nothing to be done" in said, "the store knows that all is done")
    return done


def cancelled(lab):
    """SIGINT and SIGTERM cancel all jobs and wait until Slurm confirms; the jobs hear SIGTERM"""
    lab.write("Snakefile", HEAD + """
rule all:
    input: expand("{i}.txt", i=range(12)), "lone.txt"
rule sleep:
    output: "{i,[0-9]+}.txt"
    resources: **ACCOUNT
    shell:
        # the sleep may hear it first, and must not be all that the job waits for
        "trap 'touch heard{wildcards.i}; exit 1' TERM; touch s{wildcards.i};"
        "for n in {{1..3000}}; do sleep 0.2 || true; done; touch {output}"
rule lone:
    output: "lone.txt"
    threads: 2
    resources: **ACCOUNT
    shell: "sleep 600; touch {output}"
""")
    for signum in (signal.SIGINT, signal.SIGTERM):
        before = len(lab.accounting())
        child = lab.start("run", "-e", "slurm", "-j", "unlimited", "-q", "rules")
        wait_until(lambda: len([s for s in lab.queued().values() if s == "RUNNING"]) == 13, "13 running jobs")
        wait_until(lambda: len(list(lab.work.glob("s*"))) >= 12, "12 jobs to have begun")
        os.kill(child.pid, signum)
        equal(child.wait(300), 1, "exit status")
        equal(lab.queued(), {}, "jobs that Slurm still has")
        lab.settle(before + 13)
        rows = lab.accounting()
        equal(len(rows) - before, 13, "jobs")
        check(all(row["State"].startswith("CANCELLED") for row in rows), f"states {[row['State'] for row in rows]}")
        wait_until(lambda: len(list(lab.work.glob("heard*"))) == 12, "SIGTERM to be heard")
        for path in [*lab.work.glob("s[0-9]*"), *lab.work.glob("heard*")]:
            path.unlink()


def told_when_continued(lab):
    """A job whose shell gets SIGCONT and SIGTERM at once, as Slurm sends them, hears SIGTERM"""
    lab.write("Snakefile", HEAD + """
rule told:
    output: "told"
    resources: **ACCOUNT
    shell: "trap 'touch heard; exit 1' TERM; touch began; for n in {{1..3000}}; do sleep 0.2 || true; done"
""")
    child = lab.start("run", "told", "-e", "slurm", "-j", "1")
    wait_until(lambda: lab.path("began").exists(), "it to begin")
    job = next(iter(lab.queued()))
    for name in ("STOP", "TERM", "CONT"):
        lab.run("/usr/bin/env", "scancel", "-b", "-s", name, job)
        time.sleep(1)  # Slurm sends them one by one
    equal(child.wait(60), 1, "exit status")
    check(lab.path("heard").exists() and "told to end by SIGTERM" in lab.said(), "it has heard")


def unanswered(lab):
    """sbatch that submits and says it failed, garbage around the id, a queue full for a while: each is done once"""
    lab.stand_in("sbatch", """
n=$(cat $STATE/calls 2>/dev/null || echo 0); echo $((n + 1)) > $STATE/calls
case $n in
0) $REAL "$@" >/dev/null
   echo "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation" >&2; exit 1 ;;
1) echo "sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying" >&2; exit 1 ;;
2) echo "*** Welcome to the cluster 2026 ***"; echo; $REAL "$@"; echo "have a nice day 12" ;;
3) echo "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)" >&2
   exit 1 ;;
*) exec $REAL "$@" ;;
esac""")
    lab.write("Snakefile", HEAD + """
rule all:
    input: expand("{i}.txt", i=range(4))
rule one:
    output: "{i}.txt"
    resources: **ACCOUNT
    shell: "echo {wildcards.i} >> witness; touch {output}"
""")
    said = lab.flow()
    equal(sorted(lab.read("witness").split()), ["0", "1", "2", "3"], "what ran")
    equal(said.count("Slurm does not take jobs now"), 1 + said.count("Slurm accepts jobs again") - 1, "messages")
    lab.settle(4)


def orphans(lab):
    """Jobs of a killed run that the workflow lacks are shown, --cancel-orphans ends them; changed ones are replaced"""
    text = HEAD + """
rule all:
    input: TARGETS
rule slow:
    output: "{{i}}.txt"
    resources: **ACCOUNT
    shell: "{command}"
"""
    lab.write("Snakefile",
              'TARGETS = ["old.txt", "both.txt"]\n' + text.format(command="sleep 600; echo stale > {output}"))
    child = lab.start("run", "-e", "slurm", "-j", "unlimited", "-q", "rules")
    wait_until(lambda: list(lab.queued().values()) == ["RUNNING"] * 2, "2 running jobs")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    lab.write("Snakefile", 'TARGETS = ["both.txt"]\n' + text.format(command="echo fresh > {output}"))
    said = lab.flow()
    equal(lab.read("both.txt"), "fresh\n", "the new code's output")
    check("1 Slurm job of an earlier run is not part of this one" in said and "--cancel-orphans" in said,
          "the orphan is shown")
    wait_until(lambda: list(lab.queued().values()) == ["RUNNING"], "the orphan alone to go on")  # squeue may be late
    (lab.work / "both.txt").unlink()
    said = lab.flow("--cancel-orphans")
    check("Cancelled." in said, "the orphan is cancelled")
    wait_until(lambda: not lab.queued(), "the orphan to end")
    equal(lab.read("both.txt"), "fresh\n", "the output")


def side_by_side(lab):
    """A run leaves alone what another one in the same directory has submitted, is to submit, or has taken over"""
    lab.stand_in("sbatch", """
[ -z "$FIRST" ] || ln -s x $STATE/passed || until [ -e $STATE/go ]; do sleep 0.1; done
exec $REAL "$@" """)
    lab.write("Snakefile", HEAD + """
rule first:
    output: "a{i}"
    resources: **ACCOUNT
    shell: "echo {wildcards.i} >> witness; until [ -e over ]; do sleep 0.1; done; touch {output}"
rule second:
    output: "b{i}"
    resources: **ACCOUNT
    shell: "touch {output}"
""")
    words = "run", "-e", "slurm", "-j", "unlimited", "a0", "a1", "a2"
    child = lab.start(*words, env={"FIRST": "1"})
    wait_until(lambda: len(lab.tokens()) == 3 and lab.path("witness").exists(), "a job, and two that are not sent yet")
    lab.flow("b0", "--cancel-orphans")
    lab.flow("b0")
    (lab.dir / "go").touch()
    wait_until(lambda: len(lab.read("witness").split()) == 3, "3 jobs")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child = lab.start(*words)
    wait_until(lambda: lab.said().count("with external jobid") == 3 + 1 + 3, "them to be taken over")
    lab.flow("b1", "--cancel-orphans")
    check("earlier run" not in lab.said(), "nothing is of an earlier run")
    lab.write("over", "")
    equal(child.wait(PATIENCE), 0, "the exit status")
    equal(sorted(lab.read("witness").split()), ["0", "1", "2"], "what ran")


def stop_and_status(lab):
    """--detach continues in the background, status shows it, stop ends it and its jobs, also those of a killed run"""
    lab.write("Snakefile", HEAD + """
rule all:
    input: "a.txt", expand("{i}.n", i=range(3))
rule quick:
    output: "a.txt"
    resources: **ACCOUNT
    shell: "touch {output}"
rule slow:
    output: "{i}.n"
    resources: **ACCOUNT
    shell: "sleep 600; touch {output}"
""")
    said = lab.flow("--detach")
    check("detached.log" in said, "where the log is")
    wait_until(lambda: list(lab.queued().values()).count("RUNNING") == 3 and (lab.work / "a.txt").exists(),
               "the jobs to run")
    wait_until(lambda: "1 done" in lab.run("status", str(lab.work)), "the first job to be recorded")
    said = lab.run("status", str(lab.work))
    for text in ("running    process", f"of {lab.user} on", "1 done, 0 failed", "submitted", "maigan", "kf."):
        check(text in said, f"status does not say '{text}':\n{said}")
    said = lab.run("stop", str(lab.work))
    check("Stopping process" in said and "No run is active any more" in said, f"stop says:\n{said}")
    equal(lab.queued(), {}, "jobs that Slurm still has")
    child = lab.start("run", "-e", "slurm", "-j", "3")
    wait_until(lambda: list(lab.queued().values()).count("RUNNING") == 3, "the jobs to run again")
    second = lab.run("run", "-e", "slurm", "-j", "3", status=1)
    check("the directory is locked" in second, "a second coordinator is refused")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    check("killed" in lab.run("status", str(lab.work)), "status tells that the run was killed")
    said = lab.run("stop", str(lab.work))
    check("3 Slurm jobs of an earlier run" in said and "No run is active any more" in said, f"stop says:\n{said}")
    wait_until(lambda: not lab.queued(), "the jobs to end")
    check("ended" in lab.run("status"), "status after all")


def groups(lab):
    """A group is one allocation that runs its members as steps, side by side where it can, with the sum they ask"""
    lab.write("Snakefile", """
rule all:
    input: expand("c/{i}", i=range(4))
rule a:
    output: temp("a/{i}")
    group: "both"
    threads: 2
    resources: slurm_account="maigan", mem_mb=100, runtime=10
    shell: "echo $SLURM_JOB_ID.$SLURM_STEP_ID $SLURM_CPUS_PER_TASK > {output}"
rule b:
    input: "a/{i}"
    output: "b/{i}"
    group: "both"
    resources: slurm_account="maigan", mem_mb=50, runtime=5
    shell: "cat {input} > {output}; echo $SLURM_JOB_ID.$SLURM_STEP_ID >> {output}"
rule c:
    input: "b/{i}"
    output: "c/{i}"
    resources: slurm_account="maigan", mem_mb=30
    shell: "cp {input} {output}"
""")
    said = lab.flow("--group-components", "both=2")
    for jobs, n in (("s", 2), ("", 4)):
        logs = re.findall(rf"^Submitted job{jobs} [\d, ]+ with external jobid '\d+' \(log: (.*)\)\.$", said, re.MULTILINE)
        equal(len(logs), n, "submissions it tells of")
        check(all(log.startswith(f"{lab.work}/.snakemake/slurm_logs/") for log in logs), f"their logs: {logs}")
    lab.settle(6)
    rows = lab.accounting("JobName", "ReqMem", "ReqCPUS", "TimelimitRaw")
    grouped = [row for row in rows if row["TimelimitRaw"] == "15"]
    equal([(row["ReqMem"], row["ReqCPUS"], row["State"]) for row in grouped], [("200M", "4", "COMPLETED")] * 2,
          "the two groups")
    steps = set()
    for i in range(4):
        lines = lab.read(f"c/{i}").splitlines()
        equal(lines[0].split()[1], "2", "CPUs of the first step")
        equal(lines[0].split(".")[0], lines[1].split(".")[0], "both members ran in one job")
        steps |= {lines[0].split()[0], lines[1]}
    equal(len(steps), 8, "each member is a step of its own")
    check(not list((lab.work / "a").glob("*")), "temporary files of the group are gone")


def cluster_by_name(lab):
    """Jobs that name their cluster: this one is followed as ever, a failure is told, and Ctrl-C reaches them"""
    name = next(line.split("=")[1].strip() for line in slurm("scontrol", "show", "config").splitlines()
                if line.startswith("ClusterName"))
    lab.write("Snakefile", f"""
rule good:
    output: "good"
    resources: slurm_account="maigan", mem_mb=50, clusters="{name}"
    shell: "touch {{output}}"
rule bad:
    output: "bad"
    resources: slurm_account="maigan", mem_mb=50, clusters="{name}"
    shell: "exit 3"
rule slow:
    output: "slow"
    resources: slurm_account="maigan", mem_mb=50, clusters="{name}"
    shell: "sleep 600"
""")
    lab.flow("good")
    check("non-zero exit code 3" in lab.flow("bad", status=1), "its exit status is not told")
    child = lab.start("run", "-e", "slurm", "-j", "1", "slow")
    wait_until(lambda: "RUNNING" in lab.queued().values(), "the job to run")
    child.send_signal(signal.SIGTERM)
    child.wait(120)
    wait_until(lambda: not lab.queued(), "the job to be gone")


def groups_with_gpus(lab):
    """A member of a group has the GPU and the CPUs that it asks for, in whatever words"""
    lab.write("Snakefile", """
rule all:
    input: "c"
rule a:
    output: "a"
    group: "both"
    resources: slurm_account="maigan", slurm_partition="hpg-b200", mem_mb=50, gpu=1, cpus_per_task=2
    shell: "echo $SLURM_CPUS_PER_TASK $CUDA_VISIBLE_DEVICES > {output}"
rule b:
    output: "b"
    group: "both"
    resources: slurm_account="maigan", slurm_partition="hpg-b200", mem_mb=50
    shell: "echo none ${{CUDA_VISIBLE_DEVICES-}} > {output}"
rule c:
    input: "a", "b"
    output: "c"
    group: "both"
    resources: slurm_account="maigan", slurm_partition="hpg-b200", mem_mb=50
    shell: "cat {input} > {output}"
""")
    lab.flow()
    lab.settle(1)
    equal(len(lab.accounting()), 1, "allocations")
    words = lab.read("c").split()
    check(len(words) == 3 and words[0] == "2" and words[1].isdigit() and words[2] == "none",
          f"CPUs and GPU of one, no GPU of the other: {words}")


def piped(lab):
    """The two ends of a pipe are steps that run at once, also where nobody knows how much memory one will take"""
    lab.write("Snakefile", """
rule all:
    input: "sum"
rule write:
    output: pipe("numbers")
    resources: slurm_account="maigan", mem_mb=200
    shell: "seq 100 > {output}"
rule add:
    input: "numbers"
    output: "sum"
    resources: slurm_account="maigan", mem_mb=lambda wildcards, input: input.size_mb + 50
    shell: "awk '{{s += $1}} END {{print s}}' {input} > {output}"
""")
    lab.flow()
    equal(lab.read("sum"), "5050\n", "the sum")


def limits_of_groups(lab):
    """A job that asks for more than the limit of its group fails and says so; what waits for others runs in turn"""
    lab.write("Snakefile", """
rule all:
    input: "large", expand("{i}.gpu", i=range(2))
rule large:
    output: "large"
    threads: 48
    resources: slurm_account="clive", mem_mb=50
    shell: "touch {output}"
rule gpu:
    output: "{i}.gpu"
    resources: slurm_account="clive", slurm_partition="hpg-b200", gres="gpu:1", mem_mb=50
    shell: "sleep 3; touch {output}"
""")
    said = lab.flow("--keep-going", status=1)
    check("can never start: QOSGrpCpuLimit; it asks the QOS clive for 48 cpu, of which it allows 40" in said,
          "why the large job fails")
    check((lab.work / "0.gpu").exists() and (lab.work / "1.gpu").exists(), "the jobs within the limit")


def own_script(lab):
    """A user's own batch script: its #SBATCH lines are honoured, rule resources win, its log is shown where it says"""
    lab.write("scripts/train.sh", """#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gres=gpu:1
#SBATCH --partition=hpg-b200
#SBATCH --mem=700M
#SBATCH --time=0:20:00
#SBATCH --cpus-per-task=3
#SBATCH --output=slurm-%j.out
module() { echo "module $*"; }   # what a site has
module load python/3.10
echo "on $SLURM_JOB_PARTITION with $SLURM_CPUS_PER_TASK CPUs, GPU $CUDA_VISIBLE_DEVICES"
srun --mem=100M bash -c 'echo step $SLURM_STEP_ID' > "${snakemake_output[model]}"
exit ${snakemake_params[status]}
""")
    lab.write("Snakefile", """
rule train:
    output: model="model.txt"
    params: status=config["status"]
    resources: slurm_account="maigan", runtime=30
    script: "scripts/train.sh"
""")
    said = lab.flow("--config", "status=3", status=1)
    for text in ("exit code 3", "module load python/3.10", "slurm-"):
        check(text in said, f"'{text}' is not said")
    lab.flow("--config", "status=0")
    lab.settle(2)
    for row in lab.accounting("Account", "Partition", "ReqMem", "AllocCPUS", "ReqTRES", "TimelimitRaw"):
        equal([row[k] for k in ("Account", "Partition", "ReqMem", "AllocCPUS", "TimelimitRaw")],
              ["maigan", "hpg-b200", "700M", "3", "30"], "what Slurm was asked for")
        check("gres/gpu=1" in row["ReqTRES"], "its GPU")
    equal(lab.read("model.txt"), "step 0\n", "the output of its step")
    logs = [path.read_text() for path in lab.work.glob("slurm-*.out")]
    equal(len(logs), 2, "its own logs")
    check(all("on hpg-b200 with 3 CPUs, GPU " in text for text in logs), f"its log: {logs}")


def tutorial(lab):
    """The first steps of docs/slurm.md, word for word: what it shows is written down and run, and does what it says"""
    text = (HERE.parents[1] / "docs/slurm.md").read_text().split("## First steps", 1)[1].split("\n## ", 1)[0]
    script, one, five = re.findall(r"```(?:bash|python)\n(.*?)```", text, re.DOTALL)
    command = re.search(r"^    kintsugi-flow (run .*)$", text, re.MULTILINE)[1].split()
    (lab.bin / "module").write_text('#!/bin/sh\necho "module $*"\n')  # what a site and its user have
    (lab.bin / "python").write_text('#!/bin/sh\nexec python3 "$@"\n')
    for name in ("module", "python"):
        (lab.bin / name).chmod(0o755)
    lab.write("train.py", "import os, sys\nprint('on', os.environ['SLURM_JOB_PARTITION'])\n"
                          "open((sys.argv + ['model.pt'])[1], 'w').write('trained')\n")
    lab.write("scripts/train.sh", script)
    lab.write("Snakefile", one.replace("mygroup", "maigan"))
    said = lab.run(*command)
    equal(lab.read("model.pt"), "trained", "what it makes")
    check("Nothing to be done" in lab.run(*command), "a second call does nothing")
    lab.settle(1)
    row = lab.accounting("Account", "Partition", "ReqMem", "AllocCPUS", "TimelimitRaw")[0]
    check(f"Submitted job 0 with external jobid '{row['JobID']}'." in said, f"its number: {said}")
    equal(list(row.values())[1:], ["COMPLETED", "maigan", "hpg-b200", "32G", "4", "240"], "what Slurm was asked for")
    logs = [path.read_text() for path in lab.work.glob("slurm-*.out")]
    equal(logs, ["module load python/3.10\non hpg-b200\n"], "its log, where its --output says")
    lab.write("scripts/train.sh", script.replace("train.py", 'train.py "${snakemake_output[0]}"'))
    lab.write("Snakefile", five.replace("mygroup", "maigan"))
    lab.run(*command)
    equal([lab.read(f"model-{i}.pt") for i in range(5)], ["trained"] * 5, "five trainings")


POOL = ["-e", "pool", "-j", "unlimited", "--pool-size", "2", "--pool-resources", "cpus_per_task=4", "mem_mb=2000",
        "runtime=60", "slurm_account=maigan"]


def pool(lab, n=40):
    """Tasks run as steps in two held allocations; one that ends is replaced; nothing is left behind"""
    lab.write("Snakefile", """
rule all:
    input: expand("out/{i}", i=range(%d)), "slow"
rule short:
    output: "out/{i}"
    resources: mem_mb=60, cpus_per_task=0
    shell: "echo {wildcards.i} >> witness; echo $SLURM_JOB_ID > {output}"
rule slow:
    output: "slow"
    threads: 4
    resources: mem_mb=60
    retries: 1
    shell: "sleep 3; echo $SLURM_JOB_ID $SLURM_CPUS_PER_TASK > {output}"
""" % n)
    child = lab.start("run", *POOL)
    wait_until(lambda: list(lab.queued().values()).count("RUNNING") >= 1, "an allocation")
    wait_until(lambda: (lab.work / "witness").exists(), "tasks to run")
    lab.run("/usr/bin/env", "scancel", next(iter(lab.queued())))
    equal(child.wait(300), 0, "exit status")
    ran = lab.read("witness").split()
    equal(sorted(set(ran)), sorted(str(i) for i in range(n)), "what ran")
    check(len(ran) <= n + 16, "only what was in the lost allocation ran again")
    jobs = {lab.read(f"out/{i}").strip() for i in range(n)} | {lab.read("slow").split()[0]}
    check(len(jobs) <= 4, f"tasks ran in {len(jobs)} jobs")
    equal(lab.read("slow").split()[1], "4", "CPUs of a step")
    wait_until(lambda: not lab.queued(), "the allocations to be given back")
    equal(lab.sql("SELECT count(*) FROM submission WHERE status <> 'ended'"), [(0,)], "open submissions")


def pool_crash(lab):
    """kill -9 of the engine with a pool: its allocations end, finished tasks count, the rest runs, nothing twice"""
    lab.write("Snakefile", """
rule all:
    input: expand("out/{i}", i=range(12))
rule short:
    output: "out/{i}"
    resources: mem_mb=60
    shell: "sleep 0.5; echo {wildcards.i} >> witness; touch {output}"
""")
    child = lab.start("run", *POOL)
    wait_until(lambda: (lab.work / "witness").exists() and len(lab.read("witness").split()) >= 2, "tasks to run")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    lab.run("run", *POOL)
    ran = lab.read("witness").split()
    equal(sorted(set(ran), key=int), [str(i) for i in range(12)], "what ran")
    wait_until(lambda: not lab.queued(), "the allocations to be given back")


def stored(lab):
    """kill -9 of the engine while jobs run whose files live in a storage: the next run stores what they make, once"""
    lab.write("Snakefile", """
rule all:
    input: [storage(f"store/{i}.txt") for i in range(4)], "quick.txt"
# those below 2 end while no engine is there; the others when another job that needs the same copy has ended
rule make:
    input: storage("data/{i}.txt"), storage("data/common.txt")
    output: storage("store/{i}.txt")
    log: storage("logs/{i}.log")
    resources: mem_mb=60
    shell: "echo {wildcards.i} >> witness; cp {input[0]} {log};"
        "until [ -e over ] || [ {wildcards.i} -lt 2 -a -e alone ]; do sleep 0.1; done; cat {input} > {output}"
rule quick:
    input: storage("data/common.txt")
    output: "quick.txt"
    resources: mem_mb=60
    shell: "cp {input} {output}"
""")
    for name in ("0", "1", "2", "3", "common"):
        lab.write(f"data/{name}.txt", name + "\n")
    some = [f".snakemake/storage/fs/store/{i}.txt" for i in range(4)]
    words = ["--shared-fs-usage", "persistence", "input-output", "software-deployment", "sources", "source-cache"]
    child = lab.start("run", *some, "-e", "slurm", "-j", "unlimited", *words)
    wait_until(lambda: len(lab.queued()) == 4 and lab.path("witness").exists(), "4 jobs")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    lab.write("alone", "")
    wait_until(lambda: len(lab.queued()) == 2, "2 jobs to end")
    check(not lab.path("store").exists(), "nothing was stored meanwhile")
    child = lab.start("run", "-e", "slurm", "-j", "unlimited", *words)
    wait_until(lambda: lab.path("quick.txt").exists() and lab.path("store/1.txt").exists(), "what is ready")
    time.sleep(1)  # so that the quick job's end is handled
    lab.write("over", "")
    equal(child.wait(PATIENCE), 0, "the exit status")
    equal(sorted(lab.read("witness").split()), list("0123"), "what ran")
    for i in range(4):
        equal(lab.read(f"store/{i}.txt"), f"{i}\ncommon\n", "what was stored")
        equal(lab.read(f"logs/{i}.log"), f"{i}\n", "the log that was stored")
    left = [str(path) for path in lab.path(".snakemake/storage").rglob("*") if path.is_file()]
    equal(left, [], "the local copies that are left")
    check("Nothing to be done" in lab.flow(*words), "all is up to date")


CASES = [accounts_and_partitions, partition_config, efficiency, failures, hostile_names, unusual_texts,
         unusual_text_of_killed_run, crashes, cancelled, told_when_continued, unanswered, orphans, side_by_side,
         stop_and_status, groups, groups_with_gpus, cluster_by_name, piped, limits_of_groups, own_script, tutorial,
         pool, pool_crash, stored]
