#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measure how well a workflow engine conforms to Snakemake's own test suite.

The suite's test modules are only parsed, never imported: every `run(...)` call of a test
function becomes the equivalent `snakemake` command line, which then runs with the engine in
a fresh copy of the test's directory.  A test passes if each command exits as expected (with
0, or with exactly 1 where the suite expects a failure) and reproduces the expected files.

scope.toml, next to this file, names the tests that cannot run here (containers, cloud, network,
...) and restates those that are not a plain sequence of `run` calls; known.toml the tests that are
known to fail, and why.
"""
import argparse
import ast
import glob
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

CATEGORIES = ("pass", "fail", "timeout", "unmapped", "out-of-scope")

# ----------------------------------------------------------- from run() to the command line

EXECUTORS = {"local": [], "dryrun": ["--dry-run"], "touch": ["--touch"]}
NO_OPTION = {  # keywords of run() that the harness itself handles, or that have no effect here
    "shouldfail", "snakefile", "shellcmd", "sigint_after", "targets", "executor", "no_tmpdir",
    "cleanup", "check_md5", "check_results", "set_pythonpath", "conda_frontend",
}
UNSUPPORTED = {"edit_notebook", "storage_provider_settings", "container_image"}
RENAMED = {  # the others are called like their option, but for these
    "force_incomplete": "rerun-incomplete", "nodes": "jobs", "configfiles": "configfile",
    "conda_list_envs": "list-conda-envs", "conda_create_envs": "conda-create-envs-only",
    "cluster": "cluster-generic-submit-cmd", "cluster_status": "cluster-generic-status-cmd",
    "deployment_method": "software-deployment-method", "skip_cleanup": "skip-script-cleanup",
    "overwrite_groups": "groups", "overwrite_scatter": "set-scatter",
    "overwrite_resource_scopes": "set-resource-scopes", "overwrite_resources": "set-resources",
}


class Unmapped(Exception):
    """The test does something that has no static command line equivalent."""


def config_value(value):
    """Write a config value such that parsing the command line gives it back."""
    special = re.fullmatch(r"(?i)true|false|yes|no|on|off|null", str(value))
    plain = isinstance(value, str) and re.fullmatch(r"[A-Za-z./@][\w./:@-]*", value) and not special
    return value if plain else json.dumps(value)


def command_line(kw):
    """Arguments that let the command line do what `run(**kw)` does through the API."""
    kw = {"cores": 3, "executor": "local"} | kw
    if unsupported := kw.keys() & UNSUPPORTED:
        raise Unmapped(f"run() keyword {', '.join(unsupported)}")
    targets = kw.get("targets", [])
    args = [targets] if isinstance(targets, str) else list(targets)
    if kw.get("snakefile", "Snakefile") != "Snakefile":
        args += ["--snakefile", kw["snakefile"]]
    args += EXECUTORS[kw["executor"]]
    if kw.get("cluster"):  # run() then always takes three nodes, and polls without a delay
        kw["nodes"] = 3
        args += ["--executor", "cluster-generic", "--seconds-between-status-checks", "0"]
    if kw.get("shouldfail"):  # always on in the suite, but only matters for failing jobs
        args += ["--show-failed-logs"]
    kw["skip_cleanup"] = not kw.pop("cleanup_scripts", True)
    for name, value in kw.items():
        option = "--" + RENAMED.get(name, name.replace("_", "-"))
        if name in NO_OPTION or value in (None, False, "", [], {}):
            continue
        match value:
            case True:
                args += [option]
            case list():
                args += [option, *map(str, value)]
            case dict() if name == "overwrite_resources":
                args += [option, *(f"{rule}:{key}={v}" for rule, some in value.items() for key, v in some.items())]
            case dict():
                text = config_value if name == "config" else str
                args += [option, *(f"{key}={text(v)}" for key, v in value.items())]
            case _:
                args += [option, str(value)]
    return args


# ------------------------------------------------------------------ reading the test modules

@dataclass
class Case:
    """One test: the steps to carry out (see Runner), or the reason not to."""
    name: str
    steps: list = field(default_factory=list)
    ignored: list = field(default_factory=list)  # assertions about internals, not checked
    category: str = ""
    reason: str = ""  # of the category, or the engine's complaint if it was expected to fail
    seconds: float = 0


def dotted(node):
    """The name of a function or decorator as written, e.g. `pytest.mark.skip`."""
    return ast.unparse(node.func if isinstance(node, ast.Call) else node)


class Reader:
    """Turns the statements of a test function into the steps of a case.

    The working directories are represented by marks such as @DIR0@, for the runner to replace.
    """

    ENUMS = {"DeploymentMethod", "SharedFSUsage", "RerunTrigger", "PersistenceBackend"}
    FUNCTIONS = {
        "Path": str, "set": list, "frozenset": list, "dict": dict,
        "os.path.join": os.path.join, "Resources.parse": lambda args, **_: args,
        "Batch": lambda rule, batch, batches: f"{rule}={batch}/{batches}",
    }

    def __init__(self, suite, case, names):
        self.suite, self.case, self.names = suite, case, dict(names)

    def value(self, node):
        """The value of a simple expression."""
        value = self.value
        match node:
            case ast.Constant():
                return node.value
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.List() | ast.Tuple() | ast.Set():
                return [value(item) for item in node.elts]
            case ast.Dict():
                return {value(key): value(item) for key, item in zip(node.keys, node.values)}
            case ast.JoinedStr():
                return "".join(str(value(part)) for part in node.values)
            case ast.FormattedValue(value=inner, conversion=-1, format_spec=None):
                return value(inner)
            case ast.Attribute(value=ast.Name(id=enum), attr=name) if enum in self.ENUMS:
                return name.lower().replace("_", "-")
            case ast.Call(func=ast.Attribute(value=text, attr="split"), args=[]):
                return value(text).split()
            case ast.Call(func=ast.Name(id="dpath"), args=[path]):
                return str(self.suite / value(path))
            case ast.Call() if dotted(node) in self.FUNCTIONS:
                return self.FUNCTIONS[dotted(node)](*map(value, node.args), **self.keywords(node))
        raise Unmapped(f"expression `{ast.unparse(node)}`")

    def keywords(self, call):
        values = {}
        for word in call.keywords:
            if word.arg == "shouldfail" and not isinstance(word.value, ast.Constant):
                values["shouldfail"] = True  # an exception class
            else:
                values |= {word.arg: self.value(word.value)} if word.arg else self.value(word.value)
        return values

    def run(self, call):
        """Add the steps of one `run(...)`; returns the mark of its working directory."""
        kw = self.keywords(call)
        path = self.value(call.args[0])
        if not (workdir := kw.pop("tmpdir", None)):
            workdir = f"@DIR{len(self.case.steps)}@"
            self.case.steps.append(("copy", path, workdir))
        kw["args"] = None if kw.get("shellcmd") else command_line(kw)
        self.case.steps.append(("run", path, kw, workdir))
        return workdir

    def body(self, statements):
        for node in statements:
            match node:
                case ast.Expr(value=ast.Call(func=ast.Name(id="run")) as call):
                    self.run(call)
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="run")) as call):
                    self.names[name] = self.run(call)
                case ast.Assign(targets=[ast.Name(id=name)]):
                    try:
                        self.names[name] = self.value(node.value)
                    except Unmapped:  # only a problem if a run() call uses it
                        self.names.pop(name, None)
                case ast.Assert() | ast.Expr(value=ast.Call(func=ast.Name(id="assert_resources"))):
                    self.case.ignored.append(ast.unparse(node))
                case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
                    pass
                case ast.Expr(value=ast.Call() as call) if dotted(call) in ("shutil.rmtree", "os.environ.pop"):
                    pass
                case _:
                    raise Unmapped(f"statement `{ast.unparse(node).partition(chr(10))[0][:70]}`")


def parameters(function):
    """The name suffix and the arguments of each instance of a parametrized test."""
    reader, instances = Reader(Path(), None, {}), [("", {})]
    for decorator in function.decorator_list:
        if dotted(decorator) == "pytest.mark.parametrize":
            names, rows = map(reader.value, decorator.args[:2])
            names = names.replace(" ", "").split(",") if isinstance(names, str) else names
            rows = rows if len(names) > 1 else [[row] for row in rows]
            instances = [(f"[{'-'.join(item for item in row if isinstance(item, str))}]", dict(zip(names, row)))
                         for row in rows]
    return instances


def read_suite(suite, scope):
    """All tests of the suite in order; those that will not run are already classified."""
    functions = {}  # the first module wins where two define the same test
    for module in scope["modules"]:
        for node in ast.parse((suite / module).read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                functions.setdefault(node.name, node)
    cases = []
    for name in [*functions, *(name for name in scope["script"] if name not in functions)]:
        if reason := name in functions and excluded(functions[name], scope):
            cases.append(Case(name, category="out-of-scope", reason=reason))
        elif script := scope["script"].get(name):
            source = str(suite / script["dir"])
            cases.append(Case(name, [("copy", source, "@DIR0@"), ("script", source, script, "@DIR0@")]))
        else:
            for suffix, arguments in parameters(functions[name]):
                cases.append(case := Case(name + suffix))
                try:
                    Reader(suite, case, arguments).body(functions[name].body)
                except Unmapped as why:
                    case.category, case.reason = "unmapped", str(why)
                if not case.category and not any(kind == "run" for kind, *_ in case.steps):
                    case.category, case.reason = "unmapped", "no run() call"
    return cases


@cache
def has_package(package):
    """Whether the first python3 of the PATH, which the tests use, has a package."""
    return not subprocess.run(["python3", "-c", f"import {package}"], capture_output=True).returncode


def excluded(function, scope):
    """Why a test is out of scope, or None."""
    def fits(patterns):
        return any(fnmatchcase(function.name, pattern) for pattern in patterns)

    if fits(scope["in_scope"]):
        return None
    reasons = [reason for pattern, reason in scope["out_of_scope"].items() if fits([pattern])]
    reasons += [scope["markers"][name] for name in map(dotted, function.decorator_list) if name in scope["markers"]]
    reasons += [f"{program} is not installed" for program, patterns in scope["programs"].items()
                if fits(patterns) and not shutil.which(program)]
    reasons += [f"the Python package {package} is not installed" for package, patterns in scope["packages"].items()
                if fits(patterns) and not has_package(package)]
    return reasons[0] if reasons else None


# ----------------------------------------------------------------------------- running tests

class Failed(Exception):
    pass


class Runner:
    """Carries out the steps of one case below a directory of its own."""

    def __init__(self, case, root, tools, timeout):
        self.case, self.root, self.timeout, self.marks = case, root, timeout, {}
        self.env = {name: text for name, text in os.environ.items() if not name.startswith("SNAKEMAKE_")}
        self.env["PATH"] = f"{tools}:{self.env['PATH']}"
        for name in ("TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):  # nothing shared between tests
            self.env[name] = str(root / name.lower())

    def __call__(self):
        start = time.monotonic()
        os.makedirs(self.env["TMPDIR"])
        try:
            for kind, *arguments in self.case.steps:
                getattr(self, f"do_{kind}")(*arguments)
            self.case.category = "pass"
        except TimeoutError:
            self.case.category, self.case.reason = "timeout", f"killed after {self.timeout:g} s"
        except (Failed, OSError) as why:
            self.case.category, self.case.reason = "fail", str(why)
        self.case.seconds = round(time.monotonic() - start, 1)

    def text(self, value):
        for mark, actual in self.marks.items():
            value = value.replace(mark, actual)
        return value

    def do_copy(self, source, mark):
        """Copy as the suite does: files get a new modification time, those in folders keep theirs."""
        self.marks[mark] = str(self.root / mark.strip("@").lower())
        os.mkdir(self.marks[mark])
        for path in Path(self.text(source)).iterdir():
            copy = shutil.copytree if path.is_dir() else shutil.copy
            copy(path, Path(self.marks[mark], path.name))

    def do_run(self, source, kw, mark):
        workdir, failing = self.text(mark), kw.get("shouldfail")
        command = (["sh", "-c", self.text(kw["shellcmd"])] if kw.get("shellcmd")
                   else ["snakemake", *map(self.text, kw["args"])])
        status, complaint = self.call(command, workdir, kw.get("sigint_after"))
        if status != (1 if failing else 0):
            raise Failed(f"exit {status}: {complaint}" if status else "exit 0, but should fail")
        self.case.reason = complaint if failing else self.case.reason
        if kw.get("check_results", not failing):
            expect_files(Path(self.text(source), "expected-results"), workdir, kw.get("check_md5", True))

    def do_script(self, source, script, mark):
        workdir = self.text(mark)
        fails = 'fails() { if "$@"; then return 1; else [ $? = 1 ]; fi; }\n'
        status, complaint = self.call(["bash", "-euc", fails + script["run"]], workdir)
        if status:
            raise Failed(f"script exit {status}: {complaint}")
        if script.get("expected", True):
            expect_files(Path(source, "expected-results"), workdir)

    def call(self, command, workdir, sigint_after=None):
        """Run a command in its own process group; returns its exit status and complaint."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(command, cwd=workdir, env=self.env, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=err, start_new_session=True)
            try:
                if sigint_after:
                    time.sleep(sigint_after)
                    process.send_signal(signal.SIGINT)
                deadline = time.monotonic() + self.timeout
                while not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                    if time.monotonic() > deadline:
                        raise TimeoutError
                    time.sleep(0.01)
            finally:  # the leader is not reaped yet, so that the group can only be ours
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            out.seek(0), err.seek(0)
            return process.returncode, complaint(err.read() or out.read())


def complaint(output):
    """The line of the output that best says what went wrong."""
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    for line, following in zip(lines, [*lines[1:], ""]):
        if re.match(r"(\w+\.)*\w*(Error|Exception)\b|(\w+: )?error:", line):
            return (f"{line} {following}" if line.endswith(":") or " in " in line else line)[:200]
    return lines[-1][:200] if lines else "no output"


def expect_files(expected, workdir, same=True):
    """Every file below `expected` must exist in the working directory, with the same content."""
    for name in sorted(glob.glob("**", root_dir=expected, recursive=True)):
        wanted, found = expected / name, Path(workdir, name)
        if wanted.is_dir() or name.endswith("_WIN"):
            continue
        if not found.exists():
            raise Failed(f"missing output {name}")
        if same and wanted.read_bytes().strip() != found.read_bytes().strip():
            raise Failed(f"content differs: {name}")


def make_tools(folder, engine):
    """What tests find on their PATH: `snakemake` and `python -m snakemake` mean the engine."""
    python = shutil.which("python") or sys.executable
    scripts = {
        "snakemake": f'exec {engine} "$@"',
        "python": f'[ "$1 $2" = "-m snakemake" ] && shift 2 && exec {engine} "$@"\nexec {python} "$@"',
    }
    folder.mkdir(parents=True)
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)


# -------------------------------------------------------------------------------- reporting

def commands(case):
    """The commands of a case as text."""
    for kind, *arguments in case.steps:
        if kind == "run":
            kw = arguments[1]
            yield kw.get("shellcmd") or shlex.join(["snakemake", *kw["args"]])
        elif kind == "script":
            yield arguments[1]["run"].strip()


def report(cases):
    """Print the failures and the table; returns the number of failures."""
    for case in cases:
        if case.category in ("fail", "timeout", "unmapped"):
            print(f"{case.category.upper()} {case.name}: {case.reason}")
    counts = Counter(case.category for case in cases)
    print("", *(f"{category:13}{counts[category]:5}" for category in CATEGORIES), sep="\n")
    ran = counts["pass"] + counts["fail"] + counts["timeout"]
    print(f"pass rate    {100 * counts['pass'] / max(ran, 1):5.1f} % of {ran} run, {sum(counts.values())} in all")
    return ran - counts["pass"]


def report_tap(cases, known):
    """The same as TAP: known failures are TODO; returns the number of others."""
    print(f"1..{len(cases)}")
    failures = 0
    for number, case in enumerate(cases, 1):
        why = known.get(case.name)
        if case.category == "pass":
            print(f"ok {number} - {case.name}")
            print(f"# {case.name} newly passes: take it out of known.toml" if why else "", end="\n" if why else "")
        elif case.category in ("out-of-scope", "unmapped"):
            print(f"ok {number} - {case.name} # SKIP {case.reason}")
        elif why:
            print(f"not ok {number} - {case.name} # TODO {why}")
        else:
            failures += 1
            print(f"not ok {number} - {case.name}\n# {case.category}: {case.reason}")
    return failures


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell runs in the background
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--suite", type=Path, required=True, help="the `tests` directory of a Snakemake checkout")
    parser.add_argument("--engine", default="snakemake", help="command that stands for `snakemake`")
    parser.add_argument("--only", metavar="PATTERN", nargs="+", default=["*"], help="tests with matching names")
    parser.add_argument("--jobs", type=int, default=2, help="tests to run at the same time")
    parser.add_argument("--timeout", type=float, default=60, help="seconds that each command may take")
    parser.add_argument("--scope", type=Path, default=Path(__file__).with_name("scope.toml"))
    parser.add_argument("--known", type=Path, default=Path(__file__).with_name("known.toml"))
    parser.add_argument("--tap", action="store_true", help="print TAP, with known failures as TODO")
    parser.add_argument("--list", action="store_true", help="show the tests and their commands, run nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to FILE")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="work in the new directory DIR and keep it")
    options = parser.parse_args()

    cases = read_suite(options.suite.resolve(), tomllib.loads(options.scope.read_text()))
    cases = [case for case in cases if any(fnmatchcase(case.name, pattern) for pattern in options.only)]
    if options.list:
        for case in cases:
            print(f"{case.name}: {case.category or 'in scope'} {case.reason}")
            print(*(f"    {line}" for text in commands(case) for line in text.splitlines()), sep="\n")
        return 0

    engine = shlex.split(options.engine)
    engine[0] = os.path.abspath(shutil.which(engine[0]) or parser.error(f"there is no {engine[0]}"))
    version = subprocess.run([*engine, "--version"], capture_output=True, text=True).stdout.strip()
    root = (options.keep or Path(tempfile.mkdtemp(prefix="conformance-"))).resolve()
    make_tools(root / "bin", shlex.join(engine))
    start = time.monotonic()
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            runners = [Runner(case, root / re.sub(r"\W", "_", case.name), root / "bin", options.timeout)
                       for case in cases if not case.category]
            list(pool.map(Runner.__call__, runners))
    finally:
        if not options.keep:
            shutil.rmtree(root, ignore_errors=True)
    seconds = round(time.monotonic() - start)

    failures = report_tap(cases, tomllib.loads(options.known.read_text())) if options.tap else report(cases)
    print(f"# {options.engine} ({version}) took {seconds} s")
    if options.json:
        tests = {case.name: {"category": case.category, "reason": case.reason, "seconds": case.seconds,
                             "ignored": case.ignored, "commands": list(commands(case))} for case in cases}
        result = {"engine": options.engine, "version": version, "seconds": seconds, "tests": tests}
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
