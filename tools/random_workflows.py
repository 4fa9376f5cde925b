#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do Snakemake and this engine do the same, again and again? Random workflows and random histories of their runs.

    PYTHON tools/random_workflows.py [--engine PROGRAM] [--seeds FIRST LAST] [--keep] [--topics NAME...]
        [--against COMMAND [--kill]]

PYTHON is one in which Snakemake is installed: that is imported once and forked for each run. A history is a list of
steps: a change (of an input, an output, a rule, the configuration; a job that fails), a dry run, a run, one that is
killed and goes on, a listing, a dry run with a mistake in the workflow. Both engines take each step in a folder of
their own; compared are the exit status, the jobs with files, wildcards and reasons, which bodies ran, and the files
that are there afterwards. A seed always makes the same history; each that differs is printed up to the step that does,
and with --keep its folders stay. Left out of the comparison is what depends on the order of events in Snakemake, and
what docs/compatibility.md lists. Run it as a user for whom write protection counts, not as root. Exit status 1: some
history differs.

With --against the other engine is COMMAND, say `build/kintsugi-flow run` beside `... run -e slurm -j unlimited`: exit
status, bodies that ran and files are compared. With --kill, too, the engine is killed in mid-run up to three times
before it may finish; then bodies are not compared. No Snakemake is needed for either.
"""
import argparse
import base64
import contextlib
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from random_mistakes import MISTAKES, WRAPPERS, kind_of_error
from random_snakefiles import GIVEN, VALUES, Workflow
from random_topics_changes import CHANGE_TOPICS
from random_topics_rules import RULE_TOPICS
from same_jobs import DATE, counts, jobs

LONGEST = 60  # seconds of a run
# Options with which a run does again what a killed one had done.
FORCED = {"-F", "-f", "-R", "--forcerun", "--touch", "--drop-metadata", "--ignore-incomplete"}
# Snakemake has crashed, not found a rule of a module that is used twice, not known how to run a group of pipes, or
# refused flags of a default storage.
CRASHES = "Traceback|BUG: |There is no rule named r\\d|Threads must be given as|Pipe group requiring too many|" \
          "part of conflicting groups|" \
          "Storage and \\w+ flags|not found in storage|Flags \\({'storage_object'|" \
          "has older modification time|Error in group "  # than an input from the future; that goes over jobs outside

def sources():
    files = {"in/one.txt": "one\n", "in/list.txt": "1 2\n", "in/extra.txt": "extra\n", "in/dir/f.txt": "f\n",
             "in/g1.glob": "g1\n", "in/g2.glob": "g2\n"}
    files |= {f"in/{s}.txt": f"source {s}\n" for s in VALUES["s"]}
    return files | {f"in/{n}-{s}.dat": f"{n} of {s}\n" for n in VALUES["n"] for s in VALUES["s"]}


def remove_tree(path):
    """Removes a file or folder; what is in it may be write-protected."""
    if path.is_dir() and not path.is_symlink():
        subprocess.run(["chmod", "-R", "u+w", path], check=False)
        shutil.rmtree(path)
    else:
        with contextlib.suppress(PermissionError):  # the folder is protected: in both places
            path.unlink(missing_ok=True)


class Places:
    """The two folders; what is done to the files of one is done to those of the other."""

    def __init__(self, root):
        self.ours, self.theirs = Path(root, "ours"), Path(root, "them")
        self.both = self.ours, self.theirs
        for place in self.both:
            place.mkdir(parents=True)
            Path(f"{place}.cache").mkdir()

    def write(self, files, backdate=False):
        now = time.time_ns() - (10**12 if backdate else 0)
        for place in self.both:
            for name, text in files.items():
                path = place / name
                if path.is_file() and path.read_text() == text and not name.startswith("in/"):
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
                os.utime(path, ns=(now, now))

    def touch(self, name, age=0):
        """Changes its time: AGE seconds ago."""
        now = time.time_ns() - age * 10**9
        for place in self.both:
            with contextlib.suppress(OSError):
                os.utime(place / name, ns=(now, now))

    def link(self, name, to):
        for place in self.both:
            if (place / name).parent.is_dir():
                (place / name).symlink_to(to)

    def protect(self, name):
        """Takes the right to write away, or gives it back."""
        for place in self.both:
            with contextlib.suppress(OSError):
                (place / name).chmod((place / name).stat().st_mode ^ 0o222)

    def remove(self, name):
        for place in self.both:
            remove_tree(place / name)


class Incomparable(Exception):
    """What comes now is up to chance, or Snakemake has crashed, or not come to an end."""


def snapshot(place):
    """What is there: path -> kind, write protection, content."""
    found = {}
    for folder, folders, files in os.walk(place):
        folders[:] = [name for name in folders if name not in (".snakemake", "shd")]
        for name in folders:
            path = Path(folder, name)
            found[str(path.relative_to(place)) + "/"] = "folder" + ("" if path.stat().st_mode & 0o200 else " protected")
        for name in set(files) - {"r.html"}:
            path = Path(folder, name)
            at = str(path.relative_to(place))
            if not path.exists() or not path.is_file():
                found[at] = "odd"
                continue
            text = path.read_text(errors="replace")
            if "bench/" in at:
                text = text.split("\t")[0].split(":")[0]
            found[at] = ("" if path.stat().st_mode & 0o200 else "protected ") + text
    return found


FILE_CHANGES = ["incomplete", "symlink", "future", "write protection", "new source"]


def change_file(kind, name, made, rnd, flow, places):
    """What else can become of a source NAME, or of one of the files MADE; says which one it was."""
    if kind == "future":
        places.touch(name, -1000)
    elif kind == "new source":
        name = f"in/g{rnd.randint(1, 5)}.glob"
        places.write(flow.sources({name: "new\n"}))
    elif kind == "symlink":
        places.remove(name)
        places.link(name, os.path.relpath("in/extra.txt", os.path.dirname(name)))
    elif made:
        name = rnd.choice(made)
        if kind == "incomplete":
            marker = base64.urlsafe_b64encode(name.encode()).decode()
            places.write({f".snakemake/incomplete/{marker}": '{"external_jobid": null}'})
            flow.incomplete = True
        elif "bench/" not in name:
            places.protect(name)
    return name


def change_topic(kind, rnd, flow, places):
    """The code or a parameter of a topic, or a job of it that is to fail; says which."""
    topic = rnd.choice(flow.topics)
    if kind == "fail" and topic.jobs:
        name, wild, ways = rnd.choice(topic.jobs)
        name = f"fail/{name}-{f's={rnd.choice(flow.samples)}' if wild else ''}".replace("/", "-").replace("-", "/", 1)
        places.write({name: rnd.choice(ways)})
        return name
    topic.code += kind == "code"
    topic.param += kind == "params"
    return f"{topic.name} {topic.kind}"


def change(rnd, flow, places):
    """A random change; says what it was."""
    time.sleep(0.02)
    texts = flow.texts()
    made = [name for name in sorted(snapshot(places.ours)) if name not in texts
            and not re.match(r"((pre|src)\d/)*in/|fail|elsewhere|parts|profiles|config|other|shd|scripts|hooks", name)
            and not name.endswith((".sh", "/", ".snakemake_timestamp"))]
    rule = rnd.choice(flow.rules)
    base = rule.base or rule
    kind = rnd.choice(["edit", "edit", "touch", "backdate", "old content", "lose source", "edit output", "touch output",
                       "delete output", "delete output", "delete outputs", "delete outputs", "delete folder",
                       "old output", "params", "params", "code", "code", "inputs", "config",
                       "fail", "fail", "fail", *FILE_CHANGES, "mend", "mend", "sample", "list",
                       "forget", "nothing", "metadata", "flag", "outputs", "targets"])
    name = rnd.choice(sorted(flow.sources(sources())))
    if kind in ("edit", "old content"):
        text = "2 3\n" if name.endswith("in/list.txt") else f"changed {rnd.randint(0, 999)}\n"
        places.write({name: text}, kind == "old content")
    elif kind in ("touch", "backdate"):
        places.touch(name, 1000 * (kind == "backdate"))
    elif kind in FILE_CHANGES:
        name = change_file(kind, name, made, rnd, flow, places)
    elif kind == "lose source":
        if rnd.random() < 0.3:
            places.remove(name)
        else:
            kind = "nothing"
    elif made and (kind.endswith(("output", "outputs")) or kind == "delete folder"):
        name = rnd.choice(made)
        names = [name]
        if kind == "delete outputs":
            names = name = rnd.sample(made, min(len(made), rnd.randint(2, 5)))
        if kind == "delete folder":
            names = name = [os.path.dirname(name)] if os.path.dirname(name) else [name]
        for one in names:
            if kind.startswith("delete"):
                places.remove(one)
            elif kind != "edit output":
                places.touch(one, 1000 * (kind == "old output"))
            elif os.access(places.ours / one, os.W_OK) and os.access(places.theirs / one, os.W_OK):
                places.write({one: "by hand\n"})
    elif flow.topics and kind in ("params", "code", "fail") and rnd.random() < 0.5:
        name = change_topic(kind, rnd, flow, places)
    elif kind == "params":
        rule.param += 1
        name = rule.name
    elif kind == "code":
        base.code += 1
        name = base.name
    elif kind == "inputs":
        base.extra = not base.extra
        name = base.name
    elif kind == "config":
        flow.config += 1
    elif kind in ("flag", "outputs"):
        name = flow.change_outputs(base, kind)
    elif kind == "targets":
        flow.targets = rnd.sample(flow.ends, rnd.randint(0, len(flow.ends)))
    elif kind == "fail":
        shown = ",".join(f"{w}={rnd.choice(flow.samples if w == 's' else '12')}" for w in sorted(rule.wild))
        name = f"fail/{base.name}-{shown.replace('/', '-')}"
        mode = rnd.choice(["early", "late", "once", "once", "empty"])
        places.write({name: mode})
        kind += " " + mode
    elif kind == "mend":
        for path in list(places.ours.glob("fail/*")) + list(places.theirs.glob("fail/*")):
            places.remove(f"fail/{path.name}")
        given = flow.sources(sources())
        places.write({one: text for one, text in given.items() if not (places.ours / one).exists()})
    elif kind == "sample":
        flow.samples = rnd.choice([["a", "b", "ab"], ["b"], ["b", "a"], ["d/a", "a", "x-1"]])
        name = str(flow.samples)
    elif kind == "list":
        places.write({"in/list.txt": rnd.choice(["1 2\n", "3\n", "1 2 3\n"])})
    elif kind == "metadata" and made:
        name = rnd.choice(made)
        return kind, name, ["--cleanup-metadata", name]
    places.write(flow.texts())
    time.sleep(0.02)
    return kind, name, None


def some_files(rnd, flow):
    """Files that rules can make."""
    return [flow.path_of(p).format(s=rnd.choice(flow.samples), n=rnd.choice("12"), scatteritem="1-of-2")
            for p in flow.products[GIVEN:] if p.kind != "pipe"] or ["all"]


def options(rnd, flow):
    """Random targets and options of a run."""
    names = [flow.name_of(r, 0, r.name + rnd.choice(["_p", "_q"]) * r.loop) for r in flow.rules]
    fed = [flow.name_of(r, 0) for r in flow.rules if r.inputs and not r.loop and not re.match(r"\w+=", r.inputs[0])]
    rule = lambda: rnd.choice(names)  # noqa: E731
    files = some_files(rnd, flow)
    names += [name for topic in flow.topics if topic.kind in RULE_TOPICS | CHANGE_TOPICS for name, _, _ in topic.jobs]
    words = []
    if rnd.random() < 0.25:
        words += rnd.sample(files + ["all"], rnd.choice([1, 1, 2]))
    words += flow.always()
    table = [["-k"], ["-k"], ["--rerun-incomplete"], ["--until", rule()], ["--omit-from", rule()],
             ["--forcerun", rule()],
             ["-R", rule(), rnd.choice(files)], ["-F"], ["-f"], ["--batch", f"all={rnd.randint(1, 2)}/2"], ["--touch"],
             ["--rerun-triggers", *rnd.sample(["mtime", "params", "input", "code"], 2)],
             ["--rerun-triggers", "mtime"], ["--notemp"],
             ["--keep-incomplete"], ["--set-threads", rule() + "=2"], ["--set-resources", rule() + ":mem_mb=70"],
             ["--resources", "mem_mb=100", "gpu=1"], ["--max-threads", "1"], ["--retries", "1"], ["--config", "val=9"],
             ["--ignore-incomplete"], ["--drop-metadata"], ["--prioritize", rnd.choice(files)],
             ["--max-checksum-file-size", "0"],
             ["--default-resources", "mem_mb=30"],
             ["-n"], ["--until", rnd.choice(files)], ["--omit-from", rnd.choice(files)], ["--omit-flags", "temp"],
             ["--scheduler", "greedy"], ["-p"],
             ["--set-scatter", "part=3"] if flow.scatter else ["-k"],
             ["--all-temp"], ["--groups", rule() + "=zz"], ["--group-components", "g=2"],
             ["-k"] if flow.checkpoints() or flow.topics else ["--allowed-rules", "all", *names[1:]],
             ["--cache"] if flow.cached() else ["-p"], ["--cache", rule()] if flow.cached() else ["-p"],
             ["--consider-ancient", rnd.choice(fed or ["all"]) + "=0"],
             ["--configfile", "other.yaml"], ["--nolock"], ["--strict-dag-evaluation", "functions"],
             ["--allow-ambiguity"], ["--shadow-prefix", "shd"], ["--set-resources", rule() + ":gpu=2"],
             ["--default-resources", "gpu=1", "mem_mb=10+attempt"], ["--no-hooks"], ["--show-failed-logs"],
             ["--config", "val=[1,2]"], ["--until", rule(), rule()], ["--omit-flags", "protected", "ancient"],
             ["--benchmark-extended"], ["--wait-for-files", "in/one.txt"], ["--set-threads", rule() + "=attempt*2"],
             ["--rerun-triggers", rnd.choice(["mtime", "params", "input", "code", "software-env"])],
             ["--forcerun", rnd.choice(files)], ["-R", rule(), rule()], ["--quiet", "host"],
             ["--replace-workflow-config"], ["-R"], ["-f", "--notemp"], ["-F", "--until", rule()], ["-F", "--touch"],
             ["-F", "--omit-from", rule()], ["--batch", "all=2/3"],
             ["-R", rule(), "--until", rule()], ["--latency-wait", "0"], ["--set-resource-scopes", "mem_mb=local"],
             ["--max-jobs-per-timespan", "50/1s"], ["--workflow-profile", "none"], ["--all-temp", "--notemp"],
             ["--omit-flags", "touch", "directory", "temp"], ["--omit-flags", "ancient"], ["-j", "3"],
             ["--retries", "2", "--keep-incomplete"], ["--rerun-triggers", "params", "software-env"],
             ["--prioritize", rule(), rnd.choice(files)], ["--forcerun", rule(), "--rerun-triggers", "mtime"],
             ["--config", "val='3'", "more={a: [1, {b: c}]}"],
             ["--consider-ancient", rnd.choice(fed or ["all"]) + "=0,0"], ["--skip-script-cleanup"],
             ["--force-use-threads"], ["--debug-dag"]]
    if flow.incomplete:
        words += [rnd.choice(["--rerun-incomplete"] * 3 + ["--ignore-incomplete"])]
    for _ in range(rnd.choice([0, 0, 1, 1, 2])):
        extra = rnd.choice(table)
        if not set(extra[:1] + ["--ignore-incomplete"] * ("--rerun-incomplete" in extra)) & set(words):
            words += extra
    return words


def listing_words(rnd, flow):
    """A listing: of all, of a target, or of what some options leave."""
    words = rnd.choice(LISTINGS)
    if rnd.random() < 0.3 and words[0] not in ("--unlock", "--report", "--list-changes", "--list-rules"):
        path, rule = rnd.choice(some_files(rnd, flow)), flow.name_of(rnd.choice(flow.rules), 0)
        words = words + rnd.choice([["--", path], ["--omit-from", rule], ["--omit-from", path], ["--forcerun", rule],
                                    ["-F"], ["--config", "val=8"], ["--rerun-triggers", "mtime"]])
    return words


LISTINGS = [["--summary"], ["--detailed-summary"], ["--list-changes", "code"], ["--list-changes", "input"],
            ["--list-untracked"],
            ["--list-rules"], ["--list-target-rules"], ["--delete-temp-output", "-n"], ["--delete-all-output", "-n"],
            ["--delete-temp-output"], ["--delete-all-output"], ["--rulegraph"], ["--filegraph"], ["--lint"],
            ["--dag"], ["--list-input-changes"], ["--unlock", "--cores", "1"], ["--report", "r.html"],
            ["--containerize"], ["--d3dag"], ["--list-rules", "--quiet"], ["--cleanup-shadow"]]
LISTED = {words[0] for words in LISTINGS}


def command_of(text):
    words = shlex.split(text)
    return [os.path.abspath(words[0]), *words[1:]]


def kill_tree(pid):
    """Kills a process and all below it; those are stopped first, so that none begins another."""
    tree = [pid]
    for one in tree:
        with contextlib.suppress(OSError):
            os.kill(one, signal.SIGSTOP)
            for task in Path(f"/proc/{one}/task").iterdir():
                tree += map(int, (task / "children").read_text().split())
    for one in tree:
        with contextlib.suppress(OSError):
            os.kill(one, signal.SIGKILL)


class Engines:
    def __init__(self, engine, root, against, kill, only):
        self.engine = command_of(engine)
        self.against = against and command_of(against)
        self.kill = kill
        self.only = only  # topics
        self.root = Path(root)
        self.ends = Counter()  # of runs: exit status 0, another
        if not against:
            import snakemake.cli  # noqa: F401
            self.main = snakemake.cli.main

    def take(self, words, places, elsewhere=False):
        """Both do it: ((status, text, names of the bodies that ran), the same of Snakemake). ELSEWHERE: begun in
        another directory than that of the workflow."""
        done = []
        words = ["-s", "../Snakefile", "-d", ".."] * elsewhere + words
        for place in places.both:
            cwd = place / "elsewhere" if elsewhere else place
            out, ran = place.parent / "text", place.parent / "jobs"
            ran.write_text("")
            os.environ["JOBS"] = str(ran)
            os.environ["SNAKEMAKE_OUTPUT_CACHE"] = f"{place}.cache"
            with out.open("wb") as sink:
                mine = self.engine if place is places.ours else self.against
                if place is places.ours and self.kill and is_run(words):
                    self.disturb(words, place)
                if mine:
                    status = subprocess.run([*mine, *words], cwd=cwd, stdin=subprocess.DEVNULL, stdout=sink,
                                            stderr=sink, timeout=LONGEST).returncode
                else:
                    status = self.fork(words, cwd, sink)
            done.append((status, out.read_text(errors="replace"), Counter(ran.read_text().splitlines())))
        return done

    def kill_both(self, words, places, after):
        """Both begin it and are killed with all that they have started, AFTER that part of a usual run."""
        os.environ |= {"JOBS": os.devnull, "SLOW": "0.1"}
        for place in places.both:
            with open(os.devnull, "wb") as sink:
                if place is places.theirs:
                    child = self.fork(words, place, sink, wait=False)
                else:  # kept: what ends while nobody has its Popen is waited for by the next one
                    begun = subprocess.Popen([*self.engine, *words], cwd=place, stdin=subprocess.DEVNULL,
                                             stdout=sink, stderr=sink, start_new_session=True)
                    child = begun.pid
            time.sleep(after * (0.4 if place is places.ours else 2))
            kill_tree(child)
            os.waitpid(child, 0)
        os.environ["SLOW"] = ""

    def disturb(self, words, place):
        """Begins the run and kills it, up to three times."""
        for _ in range(random.choice([1, 1, 2, 3])):
            child = subprocess.Popen([*self.engine, *words], cwd=place, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(random.uniform(0, 0.15))
            child.kill()
            child.wait()

    def fork(self, words, place, sink, wait=True):
        child = os.fork()
        if child and not wait:
            return child
        if child:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        status = 3
        signal.alarm(LONGEST)
        try:
            os.chdir(place)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(sink.fileno(), 1)
            os.dup2(sink.fileno(), 2)
            sys.argv = ["snakemake", *words]
            self.main(words)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)


def plain_jobs(text, loose):
    """Jobs of a run: their blocks up to the line that ends them; LOOSE: whatever their reasons."""
    found = Counter()
    for block, n in jobs(text).items():
        lines = []
        for line in block.splitlines():
            if "update_file_" in block:  # how Snakemake puts those who want a file before its update first
                line = re.sub(r"(, )?update_file_\w+=1", "", line)
                if line == "    priority: 1":
                    continue
            if "eason:" in line and loose:
                line = "    reason"
            if not re.match(r"(local)?(rule|checkpoint) |    |Job: |Reason", line) or DATE.match(line):
                break
            line = re.sub(r"disk\w*=[^,]*(, |$)|(?<=[^ ]) +(?=[,;]|$)|:(?=;)", "", line.rstrip())
            lines.append(", ".join(sorted(re.split("[, ]+", line))) if "resources:" in line or "now:" in line else line)
        if lines:
            found["\n".join(lines)] += n
    return found


def drawing(text):
    """Nodes and edges of a graph, whatever their numbers and the order of their wildcards."""
    labels = {at: " ".join([*sorted(label.split("\\n")), style]) for at, label, style in
              re.findall(r'^\s+(\d+)\[label = "(.*?)".*style="(.*?)"', text, re.M)}
    return sorted(labels.values()) + \
        sorted(f"{labels.get(a)} -> {labels.get(b)}" for a, b in re.findall(r"^\s+(\d+) -> (\d+)", text, re.M))


def listing(text, words, checkpoints):
    lines = [line for line in text.splitlines() if line.strip()]
    if words[0] in ("--summary", "--detailed-summary"):
        if checkpoints:
            lines = [re.sub("set of input files changed", "ok", line) for line in lines]
        lines = [re.sub(r"\t\w{3} \w{3} +\d+ [\d:]+ \d{4}\t", "\tDATE\t", line).replace("\t\t", "\t-\t")
                 .replace("rule implementation changed", "ok") for line in lines if "\t" in line]
        # of what is not there, Snakemake tells how a job that failed would have made it
        return sorted(re.sub(r"^([^\t]*\t-\t[^\t]*).*(\t[^\t]*\t[^\t]*)$", r"\1\2", line) for line in lines)
    if words[0] in ("--dag", "--rulegraph"):
        return drawing(text)
    if words[0] == "--lint":
        return [line for line in lines if line.startswith("Lints for rule")]
    skip = re.compile(r"kintsugi-flow |Updating checkpoint|Building DAG|Overwriting pos|Workflow defines that rule|"
                      r"Assuming unr|SNAKEMAKE|====|Elapsed|Complete log|  +hint:|warning|Using|"
                      r"Config file .* is extended|.*RuntimeWarning|\s+return Resource|"
                      r"  (Date|Workf|Plat|Host|User|Snake|Pyth|Comm|Base|Run|Work|Config)")
    return sorted(re.sub(r"\.snakemake/storage/\w+/", "", line) for line in lines if not skip.match(line))


def differs(words, ours, theirs, checkpoints):
    """Words on what differs between two outcomes, or nothing."""
    loose = any(word in words for word in ("--until", "--omit-from", "--batch", "--rerun-incomplete"))
    if is_listing(words) and (checkpoints and "ProtectedOutputException" in theirs[1] or "both make" in ours[1]):
        raise Incomparable  # Snakemake draws and deletes all the same
    if words[:1] == ["--cleanup-shadow"]:  # which Snakemake does only where it can build the graph
        return ""
    if ours[0] != theirs[0]:
        return f"exit status {ours[0]}, Snakemake's {theirs[0]}"
    if ours[0] and "-n" in words:
        return ""
    if is_listing(words):
        left, right = listing(ours[1], words, checkpoints), listing(theirs[1], words, checkpoints)
        if checkpoints and words[0] == "--list-untracked":
            return ""
        if words[0] in ("--filegraph", "--report", "--d3dag", "--containerize"):
            return ""
        return "" if ours[0] or left == right else "listing\n" + lines_of(Counter(left), Counter(right))
    # behind a checkpoint, Snakemake forgets that a job was forced
    any_reason = loose or checkpoints and any(word in words for word in ("--forcerun", "-R"))
    if "only provide storage uri" in theirs[1]:  # which is not shown for files that are used where they are
        ours, theirs = ((one[0], re.sub(r" \([a-z ]* storage( uri)?\)", "", one[1]), one[2]) for one in (ours, theirs))
    left, right = plain_jobs(ours[1], any_reason), plain_jobs(theirs[1], any_reason)
    if "-n" in words:
        if counts(ours[1]) != {k: n for k, n in counts(theirs[1]).items() if n}:
            if checkpoints and "--rerun-incomplete" in words:
                raise Incomparable  # behind a checkpoint, Snakemake overlooks incomplete files
            return f"jobs {counts(ours[1])}, Snakemake's {counts(theirs[1])}\n" + lines_of(left, right)
        removed = [Counter(set(re.findall("Would remove temporary output .*", one[1]))) for one in (ours, theirs)]
        if left == right and removed[0] != removed[1] and not checkpoints:
            return "temporary outputs\n" + lines_of(*removed)
    else:
        if checkpoints and (loose or not ours[2] - theirs[2]) and theirs[2] != ours[2]:
            raise Incomparable  # what it had planned before the checkpoint runs there
        if ours[2] != theirs[2]:
            return "bodies that ran\n" + lines_of(ours[2], theirs[2])
        if checkpoints or "--touch" in words:
            return ""
    return "" if left == right else "jobs\n" + lines_of(left, right)


def forgets(text):
    """Snakemake has lost jobs that it had planned: a checkpoint has ended beside them."""
    planned = [int(n) for n in re.findall(r" of (\d+) steps", text)]
    return bool(planned) and planned[-1] < max(planned)


def is_listing(words):
    return bool(words) and words[0] in LISTED


def is_run(words):
    return not is_listing(words) and "-n" not in words and "--cleanup-metadata" not in words


def differs_among_ours(words, ours, theirs, kill):
    """The same for two ways of the engine."""
    if not is_run(words):
        return ""
    if ours[0] != theirs[0]:
        return f"exit status {ours[0]}, the other's {theirs[0]}"
    return "" if kill or ours[2] == theirs[2] else "bodies that ran\n" + lines_of(ours[2], theirs[2])


def lines_of(ours, theirs):
    return "".join(f"  only {who}:\n" + "".join("    " + line + "\n" for text in extra for line in text.splitlines())
                   for who, extra in (("here", ours - theirs), ("Snakemake", theirs - ours)) if extra)


def history(seed, engines, keep):
    """Takes all steps of a seed's history; what differs, or nothing."""
    rnd = random.Random(seed)
    root = engines.root / str(seed)
    remove_tree(root)
    places, flow = Places(root), Workflow(rnd, engines.only)
    places.write(flow.sources(sources()) | {"other.yaml": "val: other\n"})
    places.write(flow.texts())
    if flow.store:
        places.link("store", ".")
    places.write({f"elsewhere/{name}": text for name, text in {"other.yaml": "val: other\n", **flow.texts()}.items()
                  if re.fullmatch(r"(other|t\d.*)[.](yaml|json)", name)})  # options name them from there
    told = ["  elsewhere"] * flow.elsewhere
    why = ""
    try:
        why = steps(rnd, flow, places, engines, told)
    except Incomparable:
        engines.ends["left"] += 1
    except subprocess.TimeoutExpired:
        why = "no end"
    if why and keep:
        (root / "steps").write_text("\n".join(told) + "\n" + why)
    if not why or not keep:
        remove_tree(root)
    return "\n".join(told) + "\n" + why if why else ""


def files_differ(left, right):
    extra = [Counter({f"{name} {text[:150]!r}": 1 for name, text in one.items()}) for one in (left, right)]
    return "files\n" + lines_of(*extra) if left != right else ""


def mistaken(rnd, flow, places, engines, told):
    """The workflow with a mistake in it: both must refuse it for the same reason; what differs."""
    flow.mistake, target = rnd.choice(MISTAKES)
    places.write(flow.texts())
    words = ["-n", "--cores", "2", target, *flow.always()]
    told.append(f"  $ {shlex.join(words)} with\n{flow.mistake}")
    ours, theirs = engines.take(words, places)
    flow.mistake = ""
    places.write(flow.texts())
    kinds = [kind_of_error(text) for _, text, _ in (ours, theirs)]
    if bool(ours[0]) == bool(theirs[0]) and (not ours[0] or kinds[0] == kinds[1] or set(kinds) & WRAPPERS):
        return ""
    return f"--- here\n{ours[1][-1500:]}\n--- Snakemake\n{theirs[1][-1500:]}\n" \
           f"exit status {ours[0]} {kinds[0]}, Snakemake's {theirs[0]} {kinds[1]}"


def killed(rnd, flow, places, engines, take, cores, told):
    """Both are killed in mid-run; when they have ended another, the same files are there. Says what differs."""
    words = [*cores, *flow.always()]
    after = rnd.random()
    told.append(f"  killed: $ {shlex.join(words)}")
    engines.kill_both(words, places, after)
    engines.fork(["--unlock", *words], places.theirs, (places.theirs.parent / "text").open("wb"))
    words += ["--rerun-incomplete", "-k"]
    told.append(f"  $ {shlex.join(words)}")
    ours, theirs = engines.take(words, places)
    if ours[0] != theirs[0]:
        return f"--- here\n{ours[1][-1500:]}\n--- Snakemake\n{theirs[1][-1500:]}\n" \
               f"exit status {ours[0]} after a kill, Snakemake's {theirs[0]}"
    if ours[0] or flow.checkpoints():
        raise Incomparable
    take(["--delete-temp-output", *words])
    for place in places.both:
        remove_tree(place / "hooks.txt")  # of each run that was begun
    files = files_differ(snapshot(places.ours), snapshot(places.theirs))
    return "after a kill: " + files if files else ""


def steps(rnd, flow, places, engines, told):
    def take(words):
        told.append(f"  $ {shlex.join(words)}")
        ours, theirs = engines.take(words, places, flow.elsewhere)
        engines.ends["well" if theirs[0] == 0 else "badly"] += 1
        crashed = theirs[0] == -signal.SIGALRM or re.search(CRASHES, theirs[1]) or forgets(theirs[1])
        idle = re.search(r"^total +0$", theirs[1], re.M)  # it runs the hooks around no job
        if crashed or idle or "--touch" in words and re.search("directory not found|not touched because", theirs[1]):
            raise Incomparable
        why = (differs_among_ours(words, ours, theirs, engines.kill) if engines.against
               else differs(words, ours, theirs, flow.checkpoints()))
        if why and ({"--allow-ambiguity", "--allowed-rules"} & set(words) or {"--until", "--omit-from"} <= set(words)):
            raise Incomparable  # Snakemake takes any of some rules, one that is not allowed, or what is cut off
        if "exit status" in why:
            told.append(f"--- here\n{ours[1][-1500:]}\n--- Snakemake\n{theirs[1][-1500:]}")
        return why, files_differ(snapshot(places.ours), snapshot(places.theirs)), ours[0]

    cores = ["--cores", "4" if any(t.kind in ("pipes", "services") for t in flow.topics) else "2"]
    for step in range(rnd.randint(2, 7)):
        if step and rnd.random() < 0.12 and not engines.against:
            if why := mistaken(rnd, flow, places, engines, told):
                return why
        elif step and rnd.random() < 0.12 and not engines.against:
            if why := killed(rnd, flow, places, engines, take, cores, told):
                return why
        elif step:
            kind, name, words = change(rnd, flow, places)
            if engines.kill and kind.startswith("fail"):
                places.remove(name)  # some fail once: that time is not to be a killed run's
            told.append(f"{kind}: {name}")
            if words and (why := take(words)[0]):
                return why
        words = options(rnd, flow)
        while engines.kill and FORCED & set(words):
            words = options(rnd, flow)
        if rnd.random() < 0.7 and (why := take([*words, *cores] + ["-n"] * ("-n" not in words))[0]):
            return why
        if any(places.ours.glob("fail/*")) and "-k" not in words and rnd.random() < 0.8:
            words.append("-k")
        why, files, status = take([*words, *cores])
        stopped = status and "-k" not in words and not why.startswith("exit")  # what ran before is up to chance
        cut = flow.checkpoints() and {"--until", "--omit-from", "--batch"} & set(words)  # keeps temporary files there
        if (stopped and (why or files)) or (not why and files and ("--touch" in words or cut)):
            raise Incomparable
        if not why and not files and not flow.incomplete and rnd.random() < 0.4:
            why, files, _ = take(listing_words(rnd, flow))
        if why or files:
            return why or files
    return ""


def main():
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--engine", default="build/kintsugi-flow run")
    given.add_argument("--seeds", nargs=2, type=int, default=(1, 100))
    given.add_argument("--keep", action="store_true")
    given.add_argument("--root", default=tempfile.gettempdir() + "/random-workflows")
    given.add_argument("--against", metavar="COMMAND")
    given.add_argument("--kill", action="store_true")
    given.add_argument("--topics", nargs="+", default=(), help="of random_topics.py; then few other rules")
    given = given.parse_args()
    Path(given.root).mkdir(exist_ok=True, parents=True)
    os.environ["SLOW"] = ""
    engines = Engines(given.engine, given.root, given.against, given.kill, given.topics)
    bad = 0
    for seed in range(given.seeds[0], given.seeds[1] + 1):
        why = history(seed, engines, given.keep)
        if why:
            bad += 1
            print(f"seed {seed} differs\n{why}", flush=True)
    print(f"{given.seeds[1] - given.seeds[0] + 1 - bad} histories the same, {bad} differ; of the calls "
          f"{engines.ends['well']} ended well, {engines.ends['badly']} did not; "
          f"{engines.ends['left']} histories were left where the rest is up to chance")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
