# SPDX-License-Identifier: MIT
"""The shapes of workflow that the budgets are about: each at any size, as a Snakefile and, for the peers, as the graph
ready-made in ninja's language (samurai reads the same) and as a makefile.

Used by tests/budget/run, which measures them, and by tests/budget/same_jobs, which compares their jobs with
Snakemake's.
"""
from dataclasses import dataclass
from typing import Callable, Optional

CHAINS = """
rule all:
    input: expand("c/{i}.txt", i=range(N // 3))

rule a:
    output: "a/{i}.txt"
    shell: "echo a > {output}"

rule b:
    input: "a/{i}.txt"
    output: "b/{i}.txt"
    shell: "cp {input} {output}"

rule c:
    input: "b/{i}.txt"
    output: "c/{i}.txt"
    shell: "cp {input} {output}"
"""

# %s: how rule c asks for all files b.
DENSE = """
B = expand("b/{i}.txt", i=range(N))

rule d:
    input: expand("c/{j}.txt", j=range(N))
    output: "d.txt"
    shell: "cat {input} > {output}"

rule b:
    output: "b/{i}.txt"
    shell: "echo {wildcards.i} > {output}"

rule c:
    input: %s
    output: "c/{j}.txt"
    shell: "cat {input} > {output}"
"""

OVERLAP = """
K = min(200, N)

rule all:
    input: [f"out/t{i % K}_{i // K}.txt" for i in range(N)]

for k in range(K):
    rule:
        name: f"tool{k}"
        output: "out/{tool}_{sample}.txt"
        wildcard_constraints:
            tool=f"t{k}",
            sample="[0-9]+"
        shell: "echo {wildcards} > {output}"
"""

CHAIN = """
rule all:
    input: f"s/{N}.txt"

rule step:
    input: lambda wildcards: f"s/{int(wildcards.i) - 1}.txt" if wildcards.i != "1" else []
    output: "s/{i}.txt"
    shell: "cat /dev/null {input} > {output}"
"""

# Jobs without a body: what is measured is the engine.
FAN_OUT = """
rule all:
    input: expand("aggregate/{s}.txt", s=range(N))

checkpoint split:
    output: directory("split")
    shell: "mkdir split; cd split; seq 0 %d | xargs touch" % (N - 1)

rule part:
    input: lambda wildcards: f"{checkpoints.split.get().output[0]}/{wildcards.s}"
    output: touch("part/{s}.txt")

def parts(wildcards):
    checkpoints.split.get()
    return f"part/{wildcards.s}.txt"

rule aggregate:
    input: parts
    output: touch("aggregate/{s}.txt")
"""

FAN_OUT_EACH = """
rule all:
    input: expand("aggregate/{s}.txt", s=range(N))

checkpoint split:
    output: "split/{s}.txt"
    shell: "true > {output}"

rule part:
    input: "split/{s}.txt"
    output: touch("part/{s}.txt")

def parts(wildcards):
    checkpoints.split.get(s=wildcards.s)
    return f"part/{wildcards.s}.txt"

rule aggregate:
    input: parts
    output: touch("aggregate/{s}.txt")
"""

TOUCHED = """
rule all:
    input: expand("c/{i}.txt", i=range(N // 3))

rule a:
    output: touch("a/{i}.txt")

rule b:
    input: "a/{i}.txt"
    output: touch("b/{i}.txt")

rule c:
    input: "b/{i}.txt"
    output: touch("c/{i}.txt")
"""

TRIVIAL = """
rule all:
    input: expand("out/{i}.txt", i=range(N))

rule one:
    output: "out/{i}.txt"
    shell: "true > {output}"
"""

LAMBDAS = """
rule all:
    input: expand("out/{i}.txt", i=range(N))

rule one:
    output: "out/{i}.txt"
    params:
        name=lambda wildcards: f"sample-{wildcards.i}",
        half=lambda wildcards: int(wildcards.i) // 2
    resources:
        mem_mb=lambda wildcards, attempt: 100 * attempt + int(wildcards.i) % 7,
        runtime=lambda wildcards: 5 + int(wildcards.i) % 3
    shell: "tool --name {params.name} --half {params.half} --mem {resources.mem_mb} > {output}"
"""

PLAIN = """
rule all:
    input: expand("out/{i}.txt", i=range(N))

rule one:
    output: "out/{i}.txt"
    shell: "tool > {output}"
"""


# The peers' graphs: (outputs, inputs, command); an input list that many share is an alias of its own.
def chains_graph(n):
    for i in range(n // 3):
        yield f"a/{i}.txt", "", "echo a > $out"
        yield f"b/{i}.txt", f"a/{i}.txt", "cp $in $out"
        yield f"c/{i}.txt", f"b/{i}.txt", "cp $in $out"


def dense_graph(n):
    for i in range(n):
        yield f"b/{i}.txt", "", "echo b > $out"
    yield "all_b", " ".join(f"b/{i}.txt" for i in range(n)), None
    for j in range(n):
        yield f"c/{j}.txt", "all_b", "cat b/* > $out"
    yield "d.txt", " ".join(f"c/{j}.txt" for j in range(n)), "cat $in > $out"


def overlap_graph(n):
    for i in range(n):
        yield f"out/t{i % 200}_{i // 200}.txt", "", "echo > $out"


def chain_graph(n):
    for i in range(1, n + 1):
        yield f"s/{i}.txt", f"s/{i - 1}.txt" if i > 1 else "", "cat /dev/null $in > $out"


def trivial_graph(n):
    for i in range(n):
        yield f"out/{i}.txt", "", "true > $out"


@dataclass
class Shape:
    text: str  # the Snakefile, N not yet set
    small: int  # N for the comparison with Snakemake
    jobs: Callable  # rule -> number of jobs, by N
    graph: Optional[Callable] = None  # for the peers
    real: bool = False  # the comparison runs it, for a dry run knows little

    def snakefile(self, n):
        return f"N = {n}\n{self.text}"

    def ninja(self, n, generator=False):
        """generator: as if the commands were known to a log of earlier runs."""
        rules, lines = {None: "phony"}, []
        for out, inputs, command in self.graph(n):
            if command not in rules:
                rules[command] = f"run{len(rules)}"
                lines.append(f"rule {rules[command]}\n  command = bash -c 'set -euo pipefail; {command}'")
                lines += ["  generator = 1"] if generator else []
            lines.append(f"build {out}: {rules[command]} {inputs}".rstrip())
        return "\n".join(lines) + "\n"

    def makefile(self, n):
        lines, goals, used = [], [], set()
        for out, inputs, command in self.graph(n):
            recipe = f"\n\t@{command.replace('$out', '$@').replace('$in', '$^')}" if command else ""
            lines.append(f"{out}: {inputs}{recipe}")
            goals.append(out)
            used.update(inputs.split())
        goals = [goal for goal in goals if goal not in used]
        head = ["SHELL = bash", ".SHELLFLAGS = -euo pipefail -c", ".SUFFIXES:", f"all: {' '.join(goals)}"]
        return "\n".join(head + lines) + "\n"


def by_thirds(n):
    return {"all": 1, "a": n // 3, "b": n // 3, "c": n // 3}


def dense_jobs(n):
    return {"b": n, "c": n, "d": 1}


def one_each(n):
    return {"all": 1, "one": n}


SHAPES = {
    "chains": Shape(CHAINS, 30, by_thirds, chains_graph),
    "dense": Shape(DENSE % "B", 12, dense_jobs, dense_graph),
    "dense_function": Shape(DENSE % "lambda wildcards: B", 12, dense_jobs, dense_graph),
    "dense_anew": Shape(DENSE % 'lambda wildcards: expand("b/{i}.txt", i=range(N))', 12, dense_jobs, dense_graph),
    "overlap": Shape(OVERLAP, 40, lambda n: {"all": 1, **{f"tool{k}": 1 for k in range(n)}}, overlap_graph),
    "chain": Shape(CHAIN, 50, lambda n: {"all": 1, "step": n}, chain_graph),
    "fan_out": Shape(FAN_OUT, 8, lambda n: {"all": 1, "split": 1, "part": n, "aggregate": n}, real=True),
    "fan_out_each": Shape(FAN_OUT_EACH, 8, lambda n: {"all": 1, "split": n, "part": n, "aggregate": n}, real=True),
    "touched": Shape(TOUCHED, 30, by_thirds, chains_graph, real=True),
    "trivial": Shape(TRIVIAL, 10, one_each, trivial_graph, real=True),
    "lambdas": Shape(LAMBDAS, 20, one_each, trivial_graph),
    "plain": Shape(PLAIN, 20, one_each, trivial_graph),
}
