# SPDX-License-Identifier: MIT
"""cluster_cases.py: a second cluster beside that of cluster.sh, with the same accounting: jobs that name it, and a
federation of the two."""
import contextlib
import os
import re
import signal
import subprocess
import time

from lab import BASE, CONF, check, equal, slurm, wait_until

FAR = BASE / "far"
FAR_CONF = FAR / "slurm.conf"
PORT = int(os.environ.get("KF_PORT", "28000"))
ON_FAR = 'slurm_account="maigan", mem_mb=50, clusters="kffar"'


def daemon(*words, conf=CONF):
    """Starts one, which goes into the background."""
    done = subprocess.run(words, env=dict(os.environ, SLURM_CONF=str(conf)), stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    check(done.returncode == 0, f"{' '.join(words)}: {done.stderr}")


def answers(*words):
    return not subprocess.run(words, env=dict(os.environ, SLURM_CONF=str(CONF)), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode


def start_database():
    """Starts slurmdbd and waits until it answers: on a busy machine that takes a while."""
    daemon("slurmdbd")
    wait_until(lambda: answers("sacctmgr", "-n", "show", "cluster"), "slurmdbd to answer")


def start_controller():
    daemon("slurmctld")
    wait_until(lambda: answers("scontrol", "show", "config"), "slurmctld to answer", 120)


def end(pid_file):
    """Ends one and waits until it has ended."""
    pid = int(pid_file.read_text())
    os.kill(pid, signal.SIGTERM)
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), f"the end of {pid_file.stem}", 60)


def port_of(cluster):
    return slurm("sacctmgr", "-nP", "show", "cluster", cluster, "format=controlport").strip()


def write_far_conf():
    own = {"ClusterName": "kffar", "SlurmctldPort": PORT + 5, "StateSaveLocation": FAR / "state",
           "SlurmdSpoolDir": FAR / "spool-%n", "SlurmctldPidFile": FAR / "slurmctld.pid",
           "SlurmdPidFile": FAR / "slurmd-%n.pid", "SlurmctldLogFile": FAR / "slurmctld.log",
           "SlurmdLogFile": FAR / "slurmd-%n.log", "TaskPlugin": "task/none"}
    lines = []
    for line in CONF.read_text().splitlines():
        key = line.split("=")[0]
        if key not in ("NodeName", "PartitionName", "GresTypes", "AccountingStorageTRES"):
            lines.append(f"{key}={own[key]}" if key in own else line)
    FAR_CONF.write_text("\n".join([
        *lines, f"NodeName=far1 NodeHostname=localhost Port={PORT + 16} CPUs=64 RealMemory=1000000",
        "PartitionName=far Nodes=far1 Default=YES MaxTime=INFINITE State=UP PreemptMode=OFF", ""]))


@contextlib.contextmanager
def far_cluster():
    """kffar: one node, and the account maigan of kfsmith."""
    (FAR / "state").mkdir(parents=True, exist_ok=True)
    write_far_conf()
    slurm("sacctmgr", "-iQ", "add", "cluster", "kffar")
    daemon("slurmctld", "-i", conf=FAR_CONF)
    try:
        wait_until(lambda: port_of("kffar") not in ("", "0"), "the second controller")
        slurm("sacctmgr", "-iQ", "add", "account", "maigan", "cluster=kffar", "set", "qos=maigan", "defaultqos=maigan")
        slurm("sacctmgr", "-iQ", "add", "user", "kfsmith", "account=maigan", "cluster=kffar")
        daemon("slurmd", "-N", "far1", conf=FAR_CONF)
        wait_until(lambda: "far1" in slurm("sinfo", "-M", "kffar", "-h", "-N", "-t", "idle", "-o", "%N"), "its node")
        yield
    finally:
        subprocess.run(["scancel", "-M", "kffar", "-u", "kfsmith"], env=dict(os.environ, SLURM_CONF=str(CONF)))
        for daemon_file in sorted(FAR.glob("slurmd-*.pid")) + [FAR / "slurmctld.pid"]:
            end(daemon_file)
        slurm("sacctmgr", "-iQ", "delete", "cluster", "kffar")


def far_jobs(lab, state):
    names = set(lab.tokens())
    rows = slurm("squeue", "-M", "kffar", "-h", "-O", "Name:|,State:|").splitlines()
    return [row for row in rows if row.split("|")[0] in names and row.split("|")[1] == state]


def another_cluster(lab):
    """Jobs on another cluster: followed, told of, ended and found again as those here, also where its daemons are away"""
    lab.write("Snakefile", f"""
rule good:
    output: "good"
    resources: {ON_FAR}
    shell: "echo $SLURMD_NODENAME > {{output}}"
rule bad:
    output: "bad"
    resources: {ON_FAR}
    shell: "exit 3"
rule unfit:
    output: "unfit"
    resources: {ON_FAR}, nodes=4
    shell: "true"
rule unknown:
    output: "unknown"
    resources: slurm_account="maigan", mem_mb=50, clusters="nosuch"
    shell: "true"
rule slow:
    output: "slow"
    resources: {ON_FAR}
    shell: "echo start >> witness; while [ ! -e go ]; do sleep 0.2; done; touch {{output}}"
rule pooled:
    output: "pooled"
    shell: "echo $SLURMD_NODENAME > {{output}}"
""")
    with far_cluster():
        lab.flow("good")
        equal(lab.read("good").strip(), "far1", "its node")
        said = lab.flow("bad", status=1)
        check(re.search(r"Slurm job \d+;kffar on far1: FAILED", said), "where it failed is not told")
        check("non-zero exit code 3" in said, "its exit status is not told")
        check("can never start: PartitionNodeLimit" in lab.flow("unfit", status=1), "what it waits for is not told")
        check("because of the resource clusters" in lab.flow("unknown", status=1), "what is to blame is not told")
        accounts_of_here(lab)
        found_again(lab)
        found_without_number(lab)
        stopped(lab)
        end(FAR / "slurmctld.pid")
        lab.path("good").unlink()
        child = lab.start("run", "-e", "slurm", "-j", "1", "good")
        wait_until(lambda: "does not take jobs now ('kffar' can't be reached" in lab.said(), "it to be told")
        daemon("slurmctld", conf=FAR_CONF)
        equal(child.wait(120), 0, "exit status where its controller was away")
        lab.run("run", "-e", "pool", "-j", "1", "--pool-size", "1", "pooled", "--pool-resources", "mem_mb=2000",
                "slurm_account=maigan", "clusters=kffar")
        equal(lab.read("pooled").strip(), "far1", "the node of a pool's task")


def accounts_of_here(lab):
    """Accounts of the other cluster, and what maigan may use there, do not count here."""
    slurm("sacctmgr", "-iQ", "add", "account", "kffaronly", "cluster=kffar")
    slurm("sacctmgr", "-iQ", "add", "user", "kfsmith", "account=kffaronly", "cluster=kffar")
    slurm("sacctmgr", "-iQ", "modify", "user", "kfsmith", "where", "account=maigan", "cluster=kffar", "set", "grptres=cpu=3")
    said = lab.run("accounts", "maigan", "kffaronly")
    check("you have no account 'kffaronly'" in said, "an account of the other cluster is listed")
    check(re.search(r"maigan +\d+ of 80 ", said), "the limit of the other cluster counts")


def found_again(lab):
    """The engine is killed, and the accounting is away when the next run looks for the job."""
    child = lab.start("run", "-e", "slurm", "-j", "1", "slow")
    wait_until(lambda: lab.path("witness").exists(), "the job to begin")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    end(BASE / "slurmdbd.pid")
    try:
        child = lab.start("run", "-e", "slurm", "-j", "1", "slow")
        wait_until(lambda: "left jobs on kffar, but Slurm does not tell" in lab.said(), "it to be told")
    finally:
        start_database()
    lab.write("go", "")
    equal(child.wait(120), 0, "exit status where the accounting was away")
    equal(lab.read("witness"), "start\n", "what ran")


def found_without_number(lab):
    """The engine is killed before it has heard which number its job has."""
    for name in ("witness", "go", "slow"):
        lab.path(name).unlink()
    lab.stand_in("sbatch", '$REAL "$@" > $STATE/answer; sleep 600')
    child = lab.start("run", "-e", "slurm", "-j", "1", "slow")
    wait_until(lambda: lab.path("witness").exists(), "the job to begin")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    (lab.bin / "sbatch").unlink()
    child = lab.start("run", "-e", "slurm", "-j", "1", "slow")
    time.sleep(3)
    lab.write("go", "")
    equal(child.wait(120), 0, "exit status where the number was not known")
    equal(lab.read("witness"), "start\n", "what ran where the number was not known")


def stopped(lab):
    lab.path("go").unlink()
    lab.path("slow").unlink()
    child = lab.start("run", "-e", "slurm", "-j", "1", "slow")
    wait_until(lambda: far_jobs(lab, "RUNNING"), "the job to run")
    child.send_signal(signal.SIGTERM)
    child.wait(120)
    check(not far_jobs(lab, "RUNNING"), "the job still runs")


@contextlib.contextmanager
def federation():
    """The two clusters as one; the nodes of this one for jobs without GPUs are drained."""
    slurm("sacctmgr", "-iQ", "add", "federation", "kffed", "clusters=kftest,kffar")
    try:
        wait_until(lambda: "Synced:Yes" in slurm("scontrol", "show", "federation") and
                   "Synced:Yes" in slurm("scontrol", "-M", "kffar", "show", "federation"), "the federation")
        slurm("scontrol", "update", "nodename=cpu1,cpu2", "state=drain", "reason=test")
        yield
    finally:
        slurm("scontrol", "update", "nodename=cpu1,cpu2", "state=resume")
        slurm("sacctmgr", "-iQ", "delete", "federation", "kffed")


def federated(lab):
    """A job of a federation begins on the other cluster: it is followed there, once, also by the next run, and ended"""
    lab.write("Snakefile", """
rule bad:
    output: "bad"
    resources: slurm_account="maigan", mem_mb=50
    shell: "exit 3"
rule slow:
    output: "slow"
    resources: slurm_account="maigan", mem_mb=50
    shell: "echo start >> witness; while [ ! -e go ]; do sleep 0.2; done; touch {output}"
rule pooled:
    output: "pooled"
    shell: "echo $SLURMD_NODENAME > {output}"
""")
    with far_cluster(), federation():
        child = lab.start("run", "-e", "slurm", "-j", "1", "slow")
        wait_until(lambda: lab.path("witness").exists(), "the job to begin")
        time.sleep(20)  # time enough to take it for lost, and to make sure that it ends
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child = lab.start("run", "-e", "slurm", "-j", "1", "slow")
        time.sleep(5)
        lab.write("go", "")
        equal(child.wait(120), 0, "exit status")
        equal(lab.read("witness"), "start\n", "what ran")
        said = lab.flow("bad", status=1)
        check(re.search(r"Slurm job \d+;kffar on far1: FAILED", said), "where it failed is not told")
        check("non-zero exit code 3" in said, "its exit status is not told")
        stopped(lab)
        lab.run("run", "-e", "pool", "-j", "1", "--pool-size", "1", "pooled", "--pool-resources", "mem_mb=2000",
                "slurm_account=maigan")
        equal(lab.read("pooled").strip(), "far1", "the node of a pool's task")


LONG = [another_cluster, federated]
