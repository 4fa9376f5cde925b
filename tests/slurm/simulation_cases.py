# SPDX-License-Identifier: MIT
"""simulation_cases.py: `simulate` says how long a run will take; then Slurm runs it. Several clusters at a time,
each with accounts of its own. What both know is the same: in a first run nothing, then what Slurm ran before."""
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from lab import Lab, check, wait_until
from routing_cases import LISTED, POOLS, accounts, neighbour

# this Slurm schedules once a second, the engine looks as often
SITE = {"delays": {"start": 1, "turn": 0.5, "notice": 1.5}}

SAMPLES = """
rule all:
    localrule: True
    input: expand("b/{i}.txt", i=range(24))
rule a:
    output: "a/{i}.txt"
    threads: 4
    resources: mem_mb=51200, slurm_account="auto", runtime=5
    shell: "sleep 25; touch {output}"
rule b:
    input: "a/{i}.txt"
    output: "b/{i}.txt"
    threads: 4
    resources: mem_mb=51200, slurm_account="auto", runtime=5
    shell: "sleep 15; touch {output}"
"""


def limits(gpus, cpu_slots, cpus, mem_gb):
    """An account: as Slurm's limits, as the config's entry has it, as the scenario has it."""
    return (f"cpu={cpus},mem={mem_gb}G,gres/gpu={gpus}", f"gpu_slots: {gpus}, cpu_slots: {cpu_slots}",
            {"cpu": cpus, "mem_gb": mem_gb, "gpu": gpus})


LARGE = limits(3, 11, 104, 900), limits(2, 8, 80, 900)
SMALL = limits(1, 4, 40, 312), limits(2, 8, 80, 625)


def ended(lab):
    stamp = lambda text: time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S"))
    return sorted((stamp(row["Submit"]), stamp(row["End"])) for row in lab.accounting("Submit", "End")
                  if row["State"] == "COMPLETED")


class Series:
    """Runs in one directory, each foretold. times: what is stated of a first run; nothing is stated later."""

    def __init__(self, engine, site, snakefile, times, drew=()):
        self.engine, self.site, self.snakefile, self.times, self.drew = engine, site, snakefile, times, drew
        self.runs, self.found = [], []

    def run(self, name, jobs, targets=(), **config):
        self.runs.append((name, jobs, targets, config))
        return self

    def scenario(self, names, first):
        load = [{"account": names[0], "user": "kfdrew", "cpu": 8, "mem_gb": 256}] if self.drew else []
        times = {"times": self.times, "first_run": True} if first else {}
        accounts = [limit | {"name": name} for name, (_, _, limit) in zip(names, self.site)]
        return SITE | times | {"load": load, "accounts": accounts}

    def foretell_and_run(self, lab, names, name, jobs, targets, config):
        lab.write("scenario.yaml", json.dumps(self.scenario(names, not self.found)))
        words = ("--forceall", "--reroute-after", "4", "--configfile", "config.yaml", "--config", "run=0",
                 *(f"{key}={value}" for key, value in config.items()), "--", *targets)
        said = lab.run("simulate", "--scenario", "scenario.yaml", "--policy", "gpu+cpu", "--json", *words)
        foretold = json.loads(re.search(r"\{.*\}", said)[0])["makespan_s"]
        before = len(ended(lab)) if self.found else 0
        lab.flow(*words)
        wait_until(lambda: len(ended(lab)) >= before + jobs, "the accounting of all jobs")
        spans = ended(lab)[before:]
        took = max(end for _, end in spans) - min(submit for submit, _ in spans)
        self.found.append({"run": name, "jobs": len(spans), "foretold_s": foretold, "took_s": took,
                           "off_percent": round(100 * (foretold - took) / took, 1)})
        print("# " + json.dumps(self.found[-1]), flush=True)

    def play(self):
        with ExitStack() as stack:
            names = stack.enter_context(accounts(*(slurm for slurm, _, _ in self.site)))
            if self.drew:
                stack.enter_context(neighbour(names[0], *self.drew))
            lab = Lab(self.engine, "foretold", "kfsmith")
            config = LISTED.format(*names)
            for entry, old in zip(self.site, SMALL):
                config = config.replace(old[1], entry[1])
            lab.write("Snakefile", self.snakefile)
            lab.write("config.yaml", config)
            for run in self.runs:
                self.foretell_and_run(lab, names, *run)
            lab.close(False)


def simulator_agrees(lab):
    """Before each of six runs `simulate` says how long it will take, and is not 5 % off: ties between devices,
    GPUs alone, a neighbour"""
    some = [f"out/{cycle}.{channel}.txt" for cycle in range(1, 6) for channel in range(1, 6)]
    thrice = {"gpu": 30, "cpu": 90, "cpu_time_multiplier": 3}
    five = {"gpu": 24, "cpu": 120, "cpu_time_multiplier": 5}
    all_series = [
        Series(lab.real_engine, LARGE, POOLS, {"stitch": {"gpu": 30, "cpu": 90}})
        .run("first run, CPUs 3 times as slow", 45, device="auto", **thrice)
        .run("the same on GPUs alone", 25, some, device="gpu", **thrice),
        Series(lab.real_engine, SMALL, POOLS, {"stitch": {"gpu": 24, "cpu": 120}})
        .run("first run, CPUs 5 times as slow", 45, device="auto", **five)
        .run("fewer jobs, run times known", 25, some, device="auto", **five),
        Series(lab.real_engine, SMALL, SAMPLES, {"a": 25, "b": 15}, ("--mem=256G", "-c8"))
        .run("two steps, a neighbour holds memory: waiting jobs move", 48)
        .run("the same again", 48)]
    with ThreadPoolExecutor(len(all_series)) as pool:
        list(pool.map(Series.play, all_series))
    for one in (one for series in all_series for one in series.found):
        check(abs(one["off_percent"]) < 5, json.dumps(one))


LONG = [simulator_agrees]
