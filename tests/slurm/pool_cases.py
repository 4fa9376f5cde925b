# SPDX-License-Identifier: MIT
"""pool_cases.py: what happens to the allocations of a pool and to the tasks in them: killed engines, time that runs out,
an srun that does not reach Slurm."""
import os
import signal

from cases import HEAD, POOL
from lab import check, equal, slurm, wait_until
from trouble_cases import HALF

DEAF = HEAD + """
rule deaf:
    output: "task"
    resources: **ACCOUNT
    shell: "trap '' TERM; [ -e begun ] && echo again >> witness && echo whole > {output} && exit; touch begun; "
           "while echo first >> witness; do sleep 0.1; done"
"""

SHORT = HEAD + """
rule task:
    output: "task"
    resources: **ACCOUNT
    shell: "touch {output}"
"""


def another_executor_after_pool(lab):
    """kill -9 of a pool's engine, and the next run submits jobs: nothing runs twice at once, the allocations end"""
    lab.write("Snakefile", DEAF)
    child = lab.start("run", "task", *POOL, "-q", "rules")
    wait_until(lambda: lab.path("begun").exists(), "it to begin")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    said = lab.flow("task", "-q", "rules")
    equal(lab.read("witness").split()[-1], "again", "the last that was at work")
    check("not part of this one" not in said, f"the allocation is no orphan: {said}")
    wait_until(lambda: not lab.queued(), "the allocation to end")


def without_allocation(lab, rules, mark):
    """Runs a task whose allocation is cancelled once its mark is there: it runs again."""
    lab.write("Snakefile", rules)
    child = lab.start("run", "task", *POOL, "-q", "rules")
    wait_until(lambda: lab.path(mark).exists(), "it to begin")
    for allocation in lab.queued():
        slurm("scancel", allocation)
    equal(child.wait(120), 0, "exit status")
    check("Trying to restart job 0" in lab.said(), "it ran twice")


def deaf_in_pool(lab):
    """A task that does not listen to SIGTERM is killed with its allocation, and not tried again before that"""
    without_allocation(lab, DEAF, "begun")
    equal(lab.read("witness").split()[-1], "again", "the last that was at work")
    check("memory" not in lab.said(), lab.said())


def caught_in_pool(lab):
    """A task that catches SIGTERM and ends with 0, halfway, because its allocation is cancelled: it runs again"""
    without_allocation(lab, HALF, "task.begun")
    equal(lab.read("task"), "whole\n", "what it made")


def pool_of_a_minute(lab):
    """Allocations of one minute run tasks that do not say how long they take"""
    lab.write("Snakefile", HEAD + """
rule task:
    output: "{name}"
    resources: **ACCOUNT
    shell: "touch {output}"
""")
    child = lab.start("run", "a", "b", "c", *POOL, "--pool-resources", "cpus_per_task=4", "mem_mb=2000", "runtime=1",
                      "slurm_account=maigan", "-q", "rules")
    equal(child.wait(120), 0, "exit status")


def pool_too_old(lab, size="2"):
    """What no longer fits into the time that is left of an idle allocation gets another one, at once"""
    lab.write("Snakefile", HEAD + """
rule long:
    input: "short"
    output: "long"
    resources: runtime=59, **ACCOUNT
    shell: "echo $SLURM_JOB_ID > {output}"
rule short:
    output: "short"
    resources: **ACCOUNT
    shell: "sleep 32; echo $SLURM_JOB_ID > {output}"  # 59 minutes, and the last 30 s are for nobody
""")
    child = lab.start("run", "long", *POOL, "--pool-size", size, "-q", "rules")
    equal(child.wait(180), 0, "exit status")
    check(lab.read("short") != lab.read("long"), "there were two allocations")
    wait_until(lambda: not lab.queued(), "the allocations to be given back")


def pool_of_one_too_old(lab):
    """The same where the pool has room for one allocation only: it is replaced"""
    pool_too_old(lab, "1")


def pool_out_of_reach(lab):
    """srun does not reach Slurm for a while: the task waits in its allocation for that to pass, which is said once"""
    lab.stand_in("srun", """
echo x >> $STATE/asked
[ $(wc -l < $STATE/asked) -gt 4 ] && exec $REAL "$@"
echo "srun: error: Unable to confirm allocation for job 5: Unable to contact slurm controller (connect failure)" >&2
exit 1""")
    lab.write("Snakefile", SHORT)
    said = lab.run("run", "task", *POOL, "-q", "rules")
    equal(said.count("Slurm starts no steps now (Unable to confirm"), 1, "times it is said")
    check("Slurm starts steps again" in said, "the end of it is said")
    equal(len([name for name in lab.tokens() if name.startswith("kf.")]), 1, "allocations")


def pool_late_step(lab):
    """srun ends without a result, and its step begins later, beside the one that is made anew: the task runs once"""
    lab.stand_in("srun", """
[ -e $STATE/once ] && exec $REAL "$@"
touch $STATE/once
(sleep 3; setsid $REAL "$@" & sleep 3; touch $STATE/work/came) </dev/null >/dev/null 2>&1 &
echo "srun: error: Unable to create step for job 5: Unable to contact slurm controller (connect failure)" >&2
exit 1""")
    lab.write("Snakefile", HEAD + """
rule task:
    output: "task"
    resources: **ACCOUNT
    shell: "echo x >> begun; while ! [ -e came ]; do sleep 0.1; done; mv begun {output}"
""")
    equal(lab.start("run", "task", *POOL, "-q", "rules").wait(60), 0, "exit status")
    equal(lab.read("task"), "x\n", "what has begun")


def pool_uncancelled(lab):
    """scancel is killed before it has told Slurm: it is called again, and no allocation outlives the run"""
    lab.stand_in("scancel", "[ -e $STATE/once ] && exec $REAL \"$@\"; touch $STATE/once; kill -9 $$")
    lab.write("Snakefile", SHORT)
    said = lab.run("run", "task", *POOL, "-q", "rules")
    wait_until(lambda: not lab.queued(), "the allocation to end")
    equal(said.count("Slurm does not cancel jobs now (no answer)"), 1, "times it is said")


def pool_left(lab):
    """Slurm does not end an allocation with the run: the run names it, and stop ends it"""
    lab.stand_in("scancel", "exit 0")
    lab.write("Snakefile", SHORT)
    said = lab.run("run", "task", *POOL, "-q", "rules")
    (left,) = lab.queued()
    check(f"1 Slurm job may still run: {left}." in said, f"it is named: {said}")
    (lab.bin / "scancel").unlink()
    lab.run("stop")
    wait_until(lambda: not lab.queued(), "the allocation to end")


CASES = [deaf_in_pool, caught_in_pool, pool_out_of_reach, pool_late_step, pool_uncancelled, pool_left, another_executor_after_pool,
         pool_of_a_minute, pool_too_old, pool_of_one_too_old]
