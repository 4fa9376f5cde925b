# SPDX-License-Identifier: MIT
"""pool_cases.py: what happens to the allocations of a pool and to the tasks in them: killed engines, time that runs out,
an srun that does not reach Slurm."""
import os
import signal

from cases import HEAD, POOL
from lab import check, equal, wait_until


def another_executor_after_pool(lab):
    """kill -9 of a pool's engine, and the next run submits jobs: nothing runs twice at once, the allocations end"""
    lab.write("Snakefile", HEAD + """
rule deaf:
    output: "task"
    resources: **ACCOUNT
    shell: "trap '' TERM; [ -e begun ] && echo again >> witness && echo whole > {output} && exit; touch begun; "
           "while echo first >> witness; do sleep 0.1; done"
""")
    child = lab.start("run", "task", *POOL, "-q", "rules")
    wait_until(lambda: lab.path("begun").exists(), "it to begin")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    said = lab.flow("task", "-q", "rules")
    equal(lab.read("witness").split()[-1], "again", "the last that was at work")
    check("not part of this one" not in said, f"the allocation is no orphan: {said}")
    wait_until(lambda: not lab.queued(), "the allocation to end")


CASES = [another_executor_after_pool]
