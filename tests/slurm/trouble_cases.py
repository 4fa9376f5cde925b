# SPDX-License-Identifier: MIT
"""trouble_cases.py: what sites and other people's jobs do to a run: limits of submission, preemption, nodes that fail,
commands that are forbidden, midnight, and Ctrl-C when Slurm does not answer."""
import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import time

from cases import HEAD, crashes
from cluster_cases import daemon as run_daemon, end as end_daemon, start_controller, start_database
from lab import BASE, Skipped, check, equal, slurm, wait_until
from routing_cases import accounts, sacctmgr

MANY = HEAD + """
rule all:
    input: expand("o/{{i}}", i=range({n}))
rule job:
    output: "o/{{i}}"
    resources: **ACCOUNT{more}
    shell: "echo {{wildcards.i}} >> witness; {command}; touch {{output}}"
"""


def ran(lab):
    return sorted(lab.read("witness").split(), key=int)


def submission_limit(lab):
    """More jobs than a user may submit: arrays are cut to what there is room for, the others follow as jobs end"""
    with accounts("cpu=80", "cpu=80") as names:
        sacctmgr("modify", "qos", names[0], "set", "MaxSubmitJobsPerUser=7")
        text = MANY.format(n=39, more="", command="true").replace("maigan", names[0])
        lab.write("Snakefile", text.replace("range(39))", 'range(39)), "other"') + f"""
rule other:
    output: "other"
    resources: slurm_account="{names[1]}", mem_mb=50
    shell: "echo 39 >> witness; touch {{output}}"
""")
        said = lab.flow("-q", "rules", "progress")
        check(lab.read("witness").split().index("39") < 30, "another account does not wait for this one")
        equal(ran(lab), [str(i) for i in range(40)], "what ran")
        equal(said.count("takes no more jobs until some have ended"), 1, "times it is said")
        check("accepts jobs again" not in said, "nothing was broken")
        lab.settle(40)


def stopped_when_refused(lab):
    """Ctrl-C while Slurm takes no jobs, or has not said whether it took one: it ends, and nothing is left"""
    lab.stand_in("sbatch", """
echo x >> $STATE/asked
case $(cat $STATE/mood) in
full) sleep 2; echo "sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying" >&2 ;;
late) $REAL "$@" >/dev/null; echo "sbatch: error: Socket timed out on send/recv operation" >&2 ;;
lost) echo "sbatch: error: Socket timed out on send/recv operation" >&2 ;;
esac
exit 1""")
    lab.write("Snakefile", MANY.format(n=12, more="", command="sleep 600"))
    for mood in ("full", "late", "lost"):
        (lab.dir / "mood").write_text(mood)
        (lab.dir / "asked").unlink(missing_ok=True)
        child = lab.start("run", "-e", "slurm", "-j", "unlimited", "-q", "rules")
        wait_until(lambda: (lab.dir / "asked").exists(), "a call of sbatch")
        if mood != "full":
            wait_until(lambda: "does not take jobs now" in lab.said(), "its answer")
        os.kill(child.pid, signal.SIGINT)
        equal(child.wait(120), 1, f"exit status when {mood}")
        equal(lab.queued(), {}, f"jobs that Slurm has when {mood}")
    equal(lab.sql("SELECT count(*) FROM submission WHERE status <> 'ended'"), [(0,)], "open submissions")


# Six times in ten a command does what it should.
UNRELIABLE = """
say() {{ echo "{name}: error: $1" >&2; exit 1; }}
case $((RANDOM % 20)) in
0 | 1) say "Unable to contact slurm controller (connect failure)" ;;
2) sleep 2; say "Socket timed out on send/recv operation" ;;
3 | 4) $REAL "$@"; say "Socket timed out on send/recv operation" ;;  # it was done all the same
5) $REAL "$@" | head -c $((RANDOM % 200)); [ {name} != sbatch ]; exit ;;
6) sleep 2; exec $REAL "$@" ;;
7) kill -9 $$ ;;
esac
exec $REAL "$@" """


def unreliable(lab):
    """Slurm's commands fail, are late, cut their answers, or work and say that they did not: every job runs once"""
    for name in ("sbatch", "squeue", "sacct", "scontrol", "sacctmgr"):
        lab.stand_in(name, UNRELIABLE.format(name=name))
    crashes(lab, n=20, kills=3, longest=8.0)


def mute(lab):
    """sbatch fails without a word: what it has submitted runs once; where that goes on, jobs fail and say so"""
    lab.stand_in("sbatch", '$REAL "$@" >/dev/null; exit 1')
    lab.write("Snakefile", MANY.format(n=1, more="", command="true"))
    lab.run("run", "-e", "slurm", "-j", "1", "-q", "rules")
    equal(ran(lab), ["0"], "what ran")
    equal(len(lab.tokens()), 1, "submissions")
    lab.stand_in("sbatch", "exit 1")
    said = lab.run("run", "-e", "slurm", "-j", "1", "-q", "rules", "-F", status=1)
    check("Slurm refuses the job: sbatch failed without a message" in said, f"it says:\n{said}")


def after_midnight(lab):
    """A job whose submission was never answered ended before local midnight: the next run finds it in sacct"""
    lab.stand_in("sbatch", '$REAL "$@" >/dev/null; touch $STATE/sent; sleep 600')
    lab.write("Snakefile", MANY.format(n=1, more="", command="true"))
    child = lab.start("run", "-e", "slurm", "-j", "1", "-q", "rules")
    wait_until(lambda: (lab.dir / "sent").exists(), "the submission")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    lab.settle(1)
    for done in (lab.work / ".snakemake/slurm/done").iterdir():
        done.unlink()  # only Slurm knows it now
    lab.stand_in("squeue", "exit 0")  # and squeue no more
    seconds = int(time.time() + 3) % 86400  # since midnight in London; there, it is midnight in three seconds
    west = f"KFT{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    time.sleep(4)
    lab.run("run", "-e", "slurm", "-j", "1", "-q", "rules", env={"TZ": west})
    equal(ran(lab), ["0"], "what ran")


def late_submission(lab):
    """A job began after the next run had asked Slurm what was left, its submission still on its way: it is adopted"""
    lab.stand_in("sbatch", '$REAL "$@" >/dev/null; sleep 600')
    lab.write("Snakefile", MANY.format(n=1, more="", command="sleep 6"))
    child = lab.start("run", "-e", "slurm", "-j", "1", "-q", "rules")
    wait_until(lambda: (lab.work / "witness").exists(), "the job to begin")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    lab.stand_in("sbatch", 'exec $REAL "$@"')
    lab.stand_in("sacct", "exit 0")  # the database is late
    lab.stand_in("squeue", 'case "$*" in *--me*) [ -e $STATE/asked ] || { touch $STATE/asked; exit 0; } ;; esac\n'
                           'exec $REAL "$@"')
    lab.run("run", "-e", "slurm", "-j", "1", "-q", "rules")
    equal(ran(lab), ["0"], "what ran")


def pool_wide(lab):
    """A pool runs as many tasks at once as its allocations have cores, however many that are"""
    lab.write("Snakefile", MANY.format(n=40, more="", command="echo + >> count; sleep 12; echo - >> count"))
    lab.run("run", "-e", "pool", "-j", "unlimited", "--pool-size", "2", "--pool-resources", "cpus_per_task=20",
            "mem_mb=8000", "runtime=60", "slurm_account=maigan", "-q", "rules", "progress")
    equal(ran(lab), [str(i) for i in range(40)], "what ran")
    most = at_once = 0
    for sign in lab.read("count").split():
        at_once += 1 if sign == "+" else -1
        most = max(most, at_once)
    check(most > 24, f"{most} tasks at once, of 40 on 40 cores")


def pool_refused(lab):
    """What srun refuses to start, for a mistake in --pool-srun, fails with its words; it is not tried for ever"""
    lab.write("Snakefile", MANY.format(n=1, more="", command="true"))
    said = lab.run("run", "-e", "pool", "-j", "1", "--pool-size", "1", "--pool-resources", "cpus_per_task=2",
                   "mem_mb=500", "slurm_account=maigan", "--pool-srun=--cpu-bnd=cores", "-q", "rules", status=1)
    check("srun cannot start it" in said and "cpu-bnd" in said, f"it says:\n{said}")
    wait_until(lambda: not lab.queued(), "the allocations to be given back")


def scontrol_only(lab):
    """Where squeue and sacct are forbidden, scontrol tells of all: of arrays that wait, failures, and after kill -9"""
    for name in ("squeue", "sacct"):
        lab.stand_in(name, f'echo "{name}: error: Access/permission denied" >&2; exit 1')
    lab.write("Snakefile", MANY.format(n=24, more=', slurm_extra="--begin=now+100"',
                                       command="[ {wildcards.i} != 7 ] || exit 9; sleep 1"))
    words = ("run", "-e", "slurm", "-j", "unlimited", "--keep-going", "-q", "rules", "progress")
    child = lab.start(*words)
    wait_until(lambda: len(lab.queued()) == 24, "the jobs")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    said = lab.run(*words, status=1)
    equal(ran(lab), [str(i) for i in range(24)], "what ran")
    check("exit code 9" in said and "(NonZeroExitCode" not in said, said)
    equal(len(list((lab.work / "o").iterdir())), 23, "outputs")
    equal(len({row["JobID"].split("_")[0] for row in lab.accounting()}), 1, "submissions")


def hurry(lab, restarts=1):
    """Slurm lets a requeued job wait for two minutes: not here."""
    def waiting():
        mine = lab.tokens()
        text = slurm("squeue", "-h", "-u", lab.user, "-t", "PD", "-O", "JobID:|,RestartCnt:|,Name:|")
        rows = [line.split("|") for line in text.splitlines()]
        return [row[0] for row in rows if row[1] == str(restarts) and row[2] in mine]
    wait_until(waiting, "the job to wait again")
    time.sleep(3)  # the first start is still being cleared away
    slurm("scontrol", "update", f"jobid={waiting()[0]}", "starttime=now")


SLOW = """
rule slow:
    output: "a"
    threads: {threads}
    resources: slurm_account="clive-b", mem_mb=50, slurm_partition="{partition}"
    shell: "echo ${{{{SLURM_RESTART_COUNT:-0}}}} >> starts; [ ! -e {{output}} ] || touch dirty; "
           "echo part >> {{output}}; sleep {length}; echo whole >> {{output}}"
"""


def followed(lab, child, starts, jobs):
    equal(child.wait(600), 0, "exit status")
    equal(lab.read("starts").split(), starts, "starts")
    check(not (lab.work / "dirty").exists(), "the second start found what the first had left")
    equal(lab.read("a"), "part\nwhole\n", "the output")
    lab.settle(jobs)
    equal(len({row["JobID"] for row in lab.accounting()}), jobs, "numbers of Slurm")


def preempt(lab, requeue):
    """Runs a job in the partition that may be preempted; another takes its node."""
    lab.write("Snakefile", SLOW.format(threads=96, partition="burst", length=15))
    options = ("--slurm-requeue",) if requeue else ()
    child = lab.start("run", "-e", "slurm", "-j", "1", "-q", "rules", *options)
    wait_until(lambda: (lab.work / "starts").exists(), "the job to run")
    lab.run("/usr/bin/env", "sbatch", "-A", "clive-b", "-p", "hpg-default", "-N", "2", "-c", "96", "--mem=50",
            "-o", "/dev/null", "--wrap", "sleep 8")
    return child


def preempted(lab):
    """A job is preempted where it cannot be requeued: it is submitted anew, without counting as its failure"""
    child = preempt(lab, False)
    followed(lab, child, ["0", "0"], 2)
    check("PREEMPTED (another job took its place)" in lab.said(), "it is said")
    check("PREEMPTED" in [row["State"] for row in lab.accounting()], "its state")


def preempted_by_cancel(lab):
    """The same in a partition whose preempted jobs are cancelled"""
    slurm("scontrol", "update", "partitionname=burst", "preemptmode=cancel")
    try:
        child = preempt(lab, True)
        followed(lab, child, ["0", "0"], 2)
    finally:
        slurm("scontrol", "update", "partitionname=burst", "preemptmode=requeue")
    check("PREEMPTED (another job took its place)" in lab.said(), "it is said")


def preempted_and_requeued(lab):
    """A job is preempted and Slurm starts it again under its number: it is followed"""
    child = preempt(lab, True)
    hurry(lab)
    followed(lab, child, ["0", "1"], 1)
    check("once more" in lab.said(), "it is said")


def node_requeued(lab):
    """A node fails and Slurm starts the job again under its number: it is followed"""
    lab.write("Snakefile", SLOW.format(threads=1, partition="hpg-default", length=15))
    child = lab.start("run", "-e", "slurm", "-j", "1", "--slurm-requeue", "-q", "rules")
    wait_until(lambda: (lab.work / "starts").exists(), "the job to run")
    node = slurm("squeue", "-h", "-u", lab.user, "-t", "R", "-O", "NodeList:|").split("|")[0]
    slurm("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
    try:
        hurry(lab)
        followed(lab, child, ["0", "1"], 1)
    finally:
        resume(node)
    check("once more" in lab.said(), "it is said")


def reboot(node):
    """All that runs on the node is gone at once, and its slurmd is another one, of a machine that has just booted."""
    daemon = int((BASE / f"slurmd-{node}.pid").read_text())
    ids = slurm("squeue", "-h", "-w", node, "-o", "%A").split()
    table = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True).stdout
    rows = [line.split(None, 2) for line in table.splitlines()]
    gone = {daemon} | {int(pid) for pid, _, words in rows
                       if words.startswith("slurmstepd: [") and words.split("[")[1].split(".")[0] in ids}
    while more := {int(pid) for pid, parent, _ in rows if int(parent) in gone} - gone:
        gone |= more
    for pid in gone:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not os.path.exists(f"/proc/{daemon}"), "the end of slurmd", 60)
    for left in (BASE / "spool" / node).glob("job*"):  # a site clears it at boot: slurmd stumbles over an old script
        shutil.rmtree(left)
    run_daemon("slurmd", "-b", "-N", node)


def node_rebooted(lab, requeue=False):
    """A node reboots under a job, which no longer exists: it is submitted anew, without counting as its failure"""
    lab.write("Snakefile", SLOW.format(threads=1, partition="hpg-default", length=60))
    options = ("--slurm-requeue",) if requeue else ()
    child = lab.start("run", "-e", "slurm", "-j", "1", "-q", "rules", *options)
    wait_until(lambda: (lab.work / "starts").exists(), "the job to run")
    node = slurm("squeue", "-h", "-u", lab.user, "-t", "R", "-O", "NodeList:|").split("|")[0]
    time.sleep(30)  # Slurm looks for those that began well before the boot
    try:
        reboot(node)
        if requeue:
            hurry(lab)
        followed(lab, child, ["0", "1" if requeue else "0"], 1 if requeue else 2)
    finally:
        resume(node)
    said = lab.said()
    check("NODE_FAIL" in said or "once more" in said, "it is said")


def node_rebooted_requeue(lab):
    """The same where Slurm starts the job again under its number: it is followed"""
    node_rebooted(lab, True)


def daemons_restarted(lab):
    """slurmdbd is away, and slurmctld dies between sbatch and the first query: every job runs once, ends are told at once"""
    lab.stand_in("sbatch", '$REAL "$@"; r=$?; touch $STATE/sent; while [ ! -e $STATE/go ]; do sleep 0.1; done; exit $r')
    lab.write("Snakefile", MANY.format(n=12, more="", command="sleep 3; [ {wildcards.i} != 7 ] || exit 9"))
    if not (BASE / "state/assoc_mgr_state").exists():  # it is saved at the end, and every five minutes; without it and
        end_daemon(BASE / "slurmctld.pid")             # slurmdbd no controller starts
        start_controller()
    end_daemon(BASE / "slurmdbd.pid")
    try:
        child = lab.start("run", "-e", "slurm", "-j", "unlimited", "--keep-going", "-q", "rules", "progress")
        wait_until(lambda: (lab.dir / "sent").exists(), "a submission")
        controller = int((BASE / "slurmctld.pid").read_text())
        os.kill(controller, signal.SIGKILL)
        wait_until(lambda: not os.path.exists(f"/proc/{controller}"), "its end")
        (lab.dir / "go").touch()
        time.sleep(3)
        start_controller()
        equal(child.wait(300), 1, "exit status")
    finally:
        start_database()
    equal(ran(lab), [str(i) for i in range(12)], "what ran")
    check("(command exited with non-zero exit code 9)" in lab.said(), "the failure is told")


def resume(node):
    if "DOWN" in slurm("scontrol", "show", "node", node):  # it may have come back by itself
        slurm("scontrol", "update", f"nodename={node}", "state=resume")

def many_wait_for_limits(lab):
    """Twenty jobs that wait for a group's limit are asked about once; one beyond its account's fails and says so"""
    lab.count_calls("squeue", "scontrol")
    with accounts("cpu=4", "mem=90000") as (narrow, wide):
        sacctmgr("modify", "account", wide, "set", "GrpTRES=cpu=6")
        lab.write("Snakefile", f"""
rule all:
    input: "large", expand("{{i}}.out", i=range(20))
rule large:
    output: "large"
    threads: 8
    resources: slurm_account="{wide}", mem_mb=50
    shell: "touch {{output}}"
rule small:
    output: "{{i}}.out"
    threads: 2
    resources: slurm_account="{narrow}", mem_mb=50
    shell: "sleep 2; touch {{output}}"
""")
        said = lab.flow("--keep-going", "--slurm-array-jobs", "0", "--no-reroute", status=1)
    check(f"it asks the account {wide} for 8 cpu, of which it allows 6" in said, "why the large job fails")
    equal(len(list(lab.work.glob("*.out"))), 20, "the jobs within the limit")
    asked = [call for call in lab.calls("squeue") if "-j" in call]
    limits = [call for call in lab.calls("scontrol") if "flags=qos,assoc" in call]
    check(len(asked) <= 2 and len(limits) <= 2, f"{len(asked)} and {len(limits)} calls ask about those that wait")


def drained(lab):
    """All nodes are drained: that jobs wait for them is said, once for all of a rule; they run when there are nodes"""
    nodes = "cpu1", "cpu2"
    for node in nodes:
        slurm("scontrol", "update", f"nodename={node}", "state=drain", "reason=test")
    try:
        lab.write("Snakefile", MANY.format(n=8, more="", command="true"))
        child = lab.start("run", "-e", "slurm", "-j", "unlimited", "--slurm-array-jobs", "0", "-q", "rules")
        wait_until(lambda: "the nodes that it could use are down or drained" in lab.said(), "the reason")
        time.sleep(3)
    finally:
        for node in nodes:
            slurm("scontrol", "update", f"nodename={node}", "state=resume")
    equal(child.wait(300), 0, "exit status")
    equal(lab.said().count("down or drained"), 1, "times it is said")
    equal(ran(lab), [str(i) for i in range(8)], "what ran")


def short_of_processes(lab):
    """The user may start no more processes for a while: sbatch is called again when that is over"""
    lab.write("Snakefile", HEAD + """
localrules: first
rule job:
    input: "first"
    output: "second"
    resources: **ACCOUNT
    shell: "touch {output}"
rule first:
    output: "first"
    shell: "touch began; read line < pipe; touch {output}"
""")
    os.mkfifo(lab.path("pipe"))
    lab.own()
    child = lab.start("run", "-e", "slurm", "-j", "1")
    wait_until(lambda: lab.path("began").exists(), "the local job")
    prlimit = "/usr/bin/prlimit", f"--pid={child.pid}"
    lab.run(*prlimit, "--nproc=1:")
    lab.path("pipe").write_text("go\n")
    wait_until(lambda: "sbatch cannot be started: Resource temporarily unavailable" in lab.said(), "its complaint")
    lab.run(*prlimit, f"--nproc={resource.getrlimit(resource.RLIMIT_NPROC)[0]}:".replace("=-1:", "=unlimited:"))
    equal(child.wait(120), 0, "exit status")
    check("Slurm accepts jobs again" in lab.said(), lab.said())
    lab.settle(1)


def limits_of_all_kinds(lab):
    """A job beyond the limit of one job, of its user, of its account in the QOS, or of an account above fails at once"""
    with accounts("cpu=80", "cpu=80", "cpu=80", "mem=90000", "cpu=80") as (job, user, account, child, minimum):
        above = f"{child}p"
        sacctmgr("add", "account", above, "set", "GrpTRES=cpu=2")
        sacctmgr("modify", "account", child, "set", f"parent={above}")
        sacctmgr("modify", "account", job, "set", "MaxTRES=cpu=2")
        sacctmgr("modify", "qos", user, "set", "MaxTRESPerUser=cpu=2")
        sacctmgr("modify", "qos", account, "set", "MaxTRESPerAccount=cpu=2")
        sacctmgr("modify", "qos", minimum, "set", "MaxTRESMinsPerJob=cpu=10")
        lab.write("Snakefile", HEAD + f"""
NAMES = ["{job}", "{user}", "{account}", "{child}", "{minimum}"]
rule all:
    input: expand("o/{{name}}", name=NAMES)
rule job:
    output: "o/{{name}}"
    threads: 4
    resources: slurm_account=lambda wildcards: wildcards.name, mem_mb=50, runtime=60
    shell: "touch {{output}}"
""")
        said = lab.flow("--keep-going", "--no-reroute", status=1)
        sacctmgr("modify", "account", child, "set", "parent=root")
        sacctmgr("delete", "account", above)
    for text in ("AssocMaxCpuPerJobLimit (more than the account allows for one job)",
                 f"QOSMaxCpuPerUserLimit; it asks the QOS {user} for 4 cpu, of which it allows a user 2",
                 f"MaxCpuPerAccount; it asks the QOS {account} for 4 cpu, of which it allows an account 2",
                 f"AssocGrpCpuLimit; it asks the account {above} for 4 cpu, of which it allows 2",
                 "QOSMaxCpuMinutesPerJobLimit (more than the QOS allows for one job)"):
        check(f"can never start: {text}" in said, f"'{text}' is not said")


def leavings(lab):
    """What a killed engine has made for jobs that go on is not swept before they have ended; then it is, and old files"""
    lab.write("s.sh", "touch began.s; while [ ! -e go ]; do sleep 0.1; done; touch scripted\n")
    lab.write("Snakefile", HEAD + """
rule all:
    input: "shadowed", "scripted", "block"
rule shadowed:
    output: "shadowed"
    shadow: "minimal"
    params: go=os.path.abspath("go"), began=os.path.abspath("began.m")
    resources: **ACCOUNT
    shell: "touch {params.began}; while [ ! -e {params.go} ]; do sleep 0.1; done; touch {output}"
rule scripted:
    output: "scripted"
    resources: **ACCOUNT
    script: "s.sh"
rule block:
    output: "block"
    resources: **ACCOUNT
    run:
        shell("touch began.b; while [ ! -e go ]; do sleep 0.1; done; touch block")
rule other:
    output: "other"
    shell: "touch {output}"
""")

    def there():
        return [str(path.relative_to(lab.work)) for folder in ("shadow", "scripts", "litter", "slurm/jobs", "slurm/done")
                for path in (lab.work / ".snakemake" / folder).glob("*")]
    child = lab.start("run", "-e", "slurm", "-j", "unlimited", "-q", "rules")
    wait_until(lambda: all((lab.work / f"began.{x}").exists() for x in "smb"), "the jobs to run")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    lab.run("run", "-c1", "other", "--rerun-triggers", "mtime")
    left = [name for name in there() if "slurm" not in name]
    check(len(left) == 4, f"a shadow directory, a script, a spec and the list of them are still there: {left}")
    lab.write("go", "")
    for name in ("jobs", "done"):
        lab.write(f".snakemake/slurm/{name}/kf.0.1", "")
        os.utime(lab.path(f".snakemake/slurm/{name}/kf.0.1"), (0, 0))
    lab.flow("-q", "rules")
    lab.settle(3)
    equal(len(lab.accounting()), 3, "jobs of Slurm: none ran twice")
    check(not [name for name in there() if "slurm" not in name], f"nothing is left: {there()}")
    lab.flow("-q", "rules", "--forcerun", "scripted")
    check(not [name for name in there() if "kf.0.1" in name], f"nor of a run long ago: {there()}")


def left_behind(lab):
    """Two signals while scancel does nothing: what the jobs write and read is left alone, the next run finds them again"""
    lab.stand_in("scancel", "exit 0")
    lab.write("Snakefile", HEAD + """
rule all:
    input: "d/shadowed", "e/late"
rule shadowed:
    output: "d/shadowed"
    shadow: "minimal"
    params: go=os.path.abspath("go"), began=os.path.abspath("began.1")
    resources: **ACCOUNT
    shell: "echo half > {output}; touch {params.began}; while [ ! -e {params.go} ]; do sleep 0.1; done; echo whole >> {output}"
rule late:
    output: "e/late"
    resources: **ACCOUNT
    shell: "touch began.2; while [ ! -e go ]; do sleep 0.1; done; echo half > {output}; echo whole >> {output}"
""")
    child = lab.start("run", "-e", "slurm", "-j", "unlimited", "-q", "rules")
    wait_until(lambda: all((lab.work / f"began.{n}").exists() for n in (1, 2)), "the jobs to run")
    os.kill(child.pid, signal.SIGTERM)
    wait_until(lambda: "Once more kills them" in lab.said(), "the first signal to be heard")
    os.kill(child.pid, signal.SIGTERM)
    equal(child.wait(60), 1, "exit status")
    check("2 Slurm jobs may still run" in lab.said(), "what is left is said")
    lab.write("go", "")
    lab.flow("-q", "rules")
    for name in ("d/shadowed", "e/late"):
        equal(lab.read(name), "half\nwhole\n", name)
    lab.settle(2)
    equal(len(lab.accounting()), 2, "jobs of Slurm")
    equal([str(path) for path in (lab.work / ".snakemake/shadow").glob("*")], [], "shadow directories")


def pool_of_groups(lab):
    """Groups fill the allocation of a pool: their members wait for nothing"""
    lab.write("Snakefile", HEAD + """
rule all:
    input: expand("{i}.b", i=range(8))
rule a:
    output: "{i}.a"
    group: "both"
    resources: mem_mb=50, runtime=1
    shell: "sleep 1; touch {output}"
rule b:
    input: "{i}.a"
    output: "{i}.b"
    group: "both"
    resources: mem_mb=50, runtime=1
    shell: "sleep 1; touch {output}"
""")
    child = lab.start("run", "-e", "pool", "-j", "unlimited", "-q", "rules", "--pool-size", "1", "--pool-resources",
                      "cpus_per_task=4", "mem_mb=500", "runtime=10", "slurm_account=maigan")
    equal(child.wait(120), 0, "exit status")


def full_log_disk(lab):
    """A job fails as nothing can be written to its log: that says so, where the log itself cannot"""
    logs = lab.path("logs")
    logs.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=777", "tmpfs", str(logs)]).returncode:
        raise Skipped("no file system can be mounted here")
    try:
        with contextlib.suppress(OSError), open(logs / "fill", "wb", buffering=0) as file:
            while file.write(b"x" * 1024):
                pass
        (logs / "a").mkdir()
        os.chmod(logs / "a", 0o777)
        lab.write("Snakefile", HEAD + """
rule a:
    output: "a"
    resources: **ACCOUNT
    shell: "echo hello; touch {output}"
""")
        said = lab.flow("--slurm-logdir", "logs", status=1)
        check(".log (its file system is full)" in said, said)
    finally:
        subprocess.run(["umount", "-l", str(logs)])


def cancelled_by_others(lab):
    """Jobs that somebody cancels: by whom, whether they had begun and what they waited for; no log that is not there"""
    lab.write("Snakefile", HEAD + """
rule all:
    input: "held", "own", "running", expand("{i}.n", i=range(4))
rule held:
    output: "held"
    resources: slurm_extra="--hold", **ACCOUNT
    shell: "touch {output}"
rule own:
    output: "own"
    resources: slurm_extra="--begin=now+600", **ACCOUNT
    shell: "touch {output}"
rule running:
    output: "running"
    resources: **ACCOUNT
    shell: "touch began; sleep 600; touch {output}"
rule array:
    output: "{i}.n"
    resources: slurm_extra="--hold", **ACCOUNT
    shell: "touch {output}"
""")
    child = lab.start("run", "-e", "slurm", "-j", "unlimited", "--keep-going", "--slurm-array-jobs", "4", "-q", "rules")
    wait_until(lambda: len(lab.queued()) == 7 and lab.path("began").exists(), "the jobs")
    ids = {}

    def all_known():  # sbatch may have been answered before that is recorded
        ids.update({rule: job for rule in ("held", "own", "running", "array") for job, in
                    lab.sql(f"SELECT external_id FROM submission WHERE jobs LIKE '%	{rule}	%'") if job})
        return len(ids) == 4

    wait_until(all_known, "their numbers")
    for rule in ("held", "array"):
        wait_until(lambda: f"'scontrol release {ids[rule]}' lets it go" in lab.said(), "how to release what is held")
    slurm("scancel", ids["held"])
    lab.run("/usr/bin/env", "scancel", ids["own"])
    lab.run("/usr/bin/env", "scancel", ids["running"])
    slurm("scancel", f"{ids['array']}_2")
    wait_until(lambda: f"Slurm job {ids['array']}_2: CANCELLED before it began (somebody" in lab.said(), "element 2", 60)
    for i in (0, 1, 3):
        slurm("scancel", f"{ids['array']}_{i}")
    equal(child.wait(120), 1, "exit status")
    said = lab.said()
    for text in (f"{ids['held']}: CANCELLED by root before it began, it had waited: JobHeldUser",
                 f"{ids['own']}: CANCELLED by {lab.user} before it began, it had waited: BeginTime",
                 *(f"{ids['array']}_{i}: CANCELLED by root before it began, it had waited: JobHeldUser"
                   for i in (0, 1, 3))):
        check(f"    message: Slurm job {text}\n    jobid" in said, f"'{text}' is not said, and nothing else")
    # Slurm may end it before it has measured its memory
    one_that_ran = rf"{ids['running']} on cpu.: CANCELLED by {lab.user}(, peak memory \d+ MB)?\n    log: "
    check(re.search(one_that_ran, said), "the one that ran")
    equal(said.count("(command exited with"), 1, "exit codes that are told")
    equal(len(lab.tokens()), 4, "submissions: none is made again")


def rest_of_array(lab):
    """What waits of an array is cancelled while another element runs: that one goes on, also for the next run"""
    with accounts("cpu=1") as (narrow,):
        lab.write("Snakefile", f"""
rule all:
    input: expand("{{i}}.n", i=range(3))
rule array:
    output: "{{i}}.n"
    resources: slurm_account="{narrow}", mem_mb=50
    shell: "echo {{wildcards.i}} >> witness; while [ ! -e go ]; do sleep 0.1; done; touch {{output}}"
""")
        words = "run", "-e", "slurm", "-j", "unlimited", "--keep-going", "--slurm-array-jobs", "3", "-q", "rules"
        child = lab.start(*words)
        wait_until(lambda: sorted(lab.queued().values()) == ["PENDING", "PENDING", "RUNNING"], "one to run")
        wait_until(lambda: lab.path("witness").exists(), "it to begin")
        lab.run("/usr/bin/env", "scancel", "-t", "PENDING", "-A", narrow)
        wait_until(lambda: lab.said().count("CANCELLED by") == 2, "the end of those that waited", 120)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        lab.write("go", "")
        lab.run(*words)
        equal(sorted(lab.read("witness").split()), ["0", "1", "2"], "what ran")
        equal(len(lab.tokens()), 3, "submissions: the array, and two that were cancelled")
        lab.settle(3)



def own_log(lab):
    """A script's own log, in a directory whose name means something to Slurm, is found: also of a job of a killed run"""
    lab.work = lab.dir / "100%j 50%%"
    lab.work.mkdir()
    lab.own()
    lab.write("own.sh", """#!/bin/bash
#SBATCH --job-name=train
#SBATCH --output=logs/%x-%j.out --error=logs/%x.err
echo said
echo wrong >&2
touch begun
while [ -e hold ]; do sleep 0.2; done
exit 3
""")
    lab.write("hold", "")
    lab.write("Snakefile", """
rule own:
    output: "o"
    resources: slurm_account="maigan", mem_mb=50
    script: "own.sh"
""")
    child = lab.start("run", "-e", "slurm", "-j", "1")
    wait_until(lambda: lab.path("begun").exists(), "the job to begin")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child = lab.start("run", "-e", "slurm", "-j", "1")
    wait_until(lambda: lab.said().count("external jobid") == 2, "it to be taken up")
    lab.path("hold").unlink()
    equal(child.wait(120), 1, "exit status")
    said = lab.said()
    number = re.search(r"external jobid '(\d+)'", said)[1]
    check(f"Slurm job {number} on " in said, said)
    equal(lab.read(f"logs/train-{number}.out"), "said\n", "its log")
    equal(lab.read("logs/train.err"), "wrong\n", "its errors")
    check(f"log: {lab.work}/logs/train-{number}.out" in said and "        said\n" in said, said)


def told_to_save(lab):
    """A signal for the batch script alone reaches the trap of the job's own script, and ends nothing else of it"""
    lab.write("save.sh", """#!/bin/bash
#SBATCH --account=maigan --mem=50 --signal=B:USR1@60
trap 'echo saved >> witness' USR1
echo begun >> witness
(while [ ! -e go ]; do sleep 0.1; done; touch "${snakemake_output[0]}") &
while ! wait $!; do :; done
""", 0o755)
    lab.write("Snakefile", """
rule save:
    output: "done"
    script: "save.sh"
""")
    child = lab.start("run", "-e", "slurm", "-j", "1", "save")
    wait_until(lambda: lab.path("witness").exists(), "the job to begin")
    lab.run("/usr/bin/env", "scancel", "-b", "-s", "USR1", *lab.queued())
    wait_until(lambda: "saved" in lab.read("witness"), "its trap")
    lab.write("go", "")
    equal(child.wait(60), 0, "exit status")
    equal(lab.read("witness"), "begun\nsaved\n", "what it did")


HALF = HEAD + """
rule half:
    output: "{name}"
    resources: **ACCOUNT
    shell: "trap 'exit 0' TERM; echo half > {output}; "
           "[ -e {wildcards.name}.begun ] || {{ touch {wildcards.name}.begun; sleep 600; }}; echo whole > {output}"
"""


def caught(lab):
    """A job that catches SIGTERM and ends with 0, halfway: cancelled by others, by Ctrl-C, or to be started once more"""
    lab.write("Snakefile", HALF)

    def begin(name):
        child = lab.start("run", name, "-e", "slurm", "-j", "1", "-q", "rules", "--slurm-requeue")
        wait_until(lambda: lab.path(f"{name}.begun").exists(), f"{name} to begin")
        return child

    child = begin("theirs")
    slurm("scancel", next(iter(lab.queued())))
    equal(child.wait(60), 1, "exit status of one that somebody cancels")
    check("CANCELLED by root" in lab.said(), "who it was")
    child = begin("mine")
    os.kill(child.pid, signal.SIGINT)
    equal(child.wait(60), 1, "exit status after Ctrl-C")
    for name in ("theirs", "mine"):
        check(not lab.path(name).exists(), f"{name} is left half made")
    child = begin("again")
    slurm("scontrol", "requeue", next(iter(lab.queued())))
    hurry(lab)
    equal(child.wait(60), 0, "exit status of one that Slurm starts once more")
    lab.run("run", "theirs", "mine", "-e", "slurm", "-j", "2", "-q", "rules")
    equal([lab.read(name) for name in ("theirs", "mine", "again")], ["whole\n"] * 3, "what they made")
    equal(len(lab.tokens()), 5, "submissions")


CASES = [mute, caught, own_log, told_to_save, cancelled_by_others, full_log_disk, pool_of_groups,
         rest_of_array, leavings, left_behind, limits_of_all_kinds, many_wait_for_limits, submission_limit, unreliable,
         stopped_when_refused, after_midnight, late_submission, pool_wide, pool_refused]
LONG = [drained, short_of_processes, scontrol_only, preempted, preempted_by_cancel, preempted_and_requeued, node_requeued,
        node_rebooted, node_rebooted_requeue, daemons_restarted]
