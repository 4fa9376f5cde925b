# SPDX-License-Identifier: MIT
"""lab.py: a place for one test on the test cluster: a working directory of a user there, the engine run as that user,
and what Slurm's own accounting says afterwards."""
import contextlib
import errno
import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell runs in the background

HERE = Path(__file__).resolve().parent
BASE = Path(os.environ.get("KF_SLURM_DIR", "/var/tmp/kintsugi-slurm"))
CONF = BASE / "slurm.conf"
ROOT = os.geteuid() == 0
if "SLURM_PREFIX" in os.environ:  # as in cluster.sh
    os.environ["PATH"] = "{0}/bin:{0}/sbin:{1}".format(os.environ["SLURM_PREFIX"], os.environ["PATH"])
PATIENCE = 300  # seconds: the machine may be busy; nothing asserts on time


class Failure(Exception):
    pass


class Skipped(Exception):
    """A case that cannot be made here, and why."""


def check(good, text):
    if not good:
        raise Failure(text)


def equal(found, wanted, what):
    check(found == wanted, f"{what}: {found!r}, expected {wanted!r}")


def wait_until(condition, what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < end, f"waited in vain for {what}")
        time.sleep(0.1)


def slurm(*words, **options):
    """Runs a Slurm command as the administrator of the cluster; its stdout."""
    env = dict(os.environ, SLURM_CONF=str(CONF))
    done = subprocess.run(words, env=env, capture_output=True, text=True, errors="replace", timeout=120, **options)
    check(done.returncode == 0, f"{' '.join(words)}: {done.stderr}")
    return done.stdout


class Lab:
    def __init__(self, engine, name, user="kfsmith"):
        self.user = user if ROOT else pwd.getpwuid(os.geteuid()).pw_name
        home = BASE / "home" / user if ROOT else BASE
        self.dir = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=home))
        self.bin = self.dir / "bin"
        self.work = self.dir / "work"
        self.bin.mkdir()
        self.work.mkdir()
        self.engine = self.bin / "kintsugi-flow"
        self.real_engine = engine
        shutil.copy(engine, self.engine)  # the user may not see where it was built
        self.env = {
            "HOME": str(home), "USER": self.user, "LOGNAME": self.user, "LANG": "C.UTF-8", "SLURM_CONF": str(CONF),
            "PATH": f"{self.bin}:{os.environ['PATH']}", "SHELL": "/bin/bash",
        }
        self.own()

    def own(self, paths=None):
        """Gives PATHS to the user; without any, all that there is."""
        if ROOT:
            entry = pwd.getpwnam(self.user)
            for path in paths or [self.dir, *self.dir.rglob("*")]:
                os.chown(path, entry.pw_uid, entry.pw_gid, follow_symlinks=False)

    def identity(self):
        if not ROOT:
            return {}
        entry = pwd.getpwnam(self.user)
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}

    def write(self, path, text, mode=0o644):
        target = self.work / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        target.chmod(mode)
        # no more than that: an engine that runs removes files meanwhile
        self.own([target, *(up for up in target.parents if self.work in up.parents)])

    def stand_in(self, name, script):
        """A command that stands before Slurm's own; $REAL is that one."""
        real = shutil.which(name)
        target = self.bin / name
        target.write_text(f"#!/bin/bash\nREAL={real}\nSTATE={self.dir}\n{script}\n")
        target.chmod(0o755)
        self.own([target])

    def count_calls(self, *names):
        for name in names:
            # Others take SLURM_CONF away from their jobs, as nothing of this cluster lies where Slurm looks by itself.
            self.stand_in(name, f"""echo {name} "$(date +%s.%N)" "$*" >> $STATE/calls; export SLURM_CONF={CONF}
exec $REAL "$@" """)

    def calls(self, name=""):
        """Those of a command, or of all that count_calls was told of: lists of its name, the time, its words."""
        path = self.dir / "calls"
        lines = [line.split() for line in path.read_text(errors="replace").splitlines()] if path.exists() else []
        return [line for line in lines if len(line) > 1 and name in ("", line[0])]

    def start(self, *words, **options):
        """The engine (or what else is in words[0] with a '/') in its own session."""
        command = list(words) if "/" in str(words[0]) else [str(self.engine), *words]
        env = self.env | options.pop("env", {})
        with open(self.dir / "log", "ab") as log:
            while True:
                try:
                    return subprocess.Popen([str(w) for w in command], cwd=self.work, env=env,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                            start_new_session=True, **self.identity(), **options)
                except OSError as error:  # another test forked while the program was being copied
                    if error.errno != errno.ETXTBSY:
                        raise
                    time.sleep(0.05)

    def run(self, *words, status=0, **options):
        """Runs it to the end; what it said."""
        before = (self.dir / "log").stat().st_size if (self.dir / "log").exists() else 0
        child = self.start(*words, **options)
        try:
            code = child.wait(PATIENCE * 2)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            code = "too long"
        said = self.said()[before:]
        if status is not None:
            check(code == status, f"exit status {code}, expected {status}\n{said[-4000:]}")
        return said

    def said(self):
        path = self.dir / "log"
        return path.read_bytes().decode(errors="replace") if path.exists() else ""

    def flow(self, *words, **options):
        return self.run("run", "-e", "slurm", "-j", "unlimited", *words, **options)

    def path(self, path):
        return self.work / path

    def read(self, path):
        return (self.work / path).read_bytes().decode(errors="surrogateescape")

    def tokens(self):
        """Names of all submissions of this directory."""
        return [row[0] for row in self.sql("SELECT token FROM submission")]

    def sql(self, query):
        database = self.work / ".snakemake/kintsugi.db"
        if not database.exists():
            return []
        try:
            with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30) as db:
                return db.execute(query).fetchall()
        except sqlite3.OperationalError:  # it is being made
            return []

    def accounting(self, *fields):
        """What sacct knows of all jobs of this directory: a list of dicts."""
        names = ",".join(self.tokens())
        if not names:
            return []
        fields = ("JobID", "State", *fields)
        text = slurm("sacct", "-a", "-X", "-n", "-P", "-S", "now-1days", "--name", names, "-o", ",".join(fields))
        return [dict(zip(fields, line.split("|"))) for line in text.splitlines()]

    def queued(self):
        """What squeue still shows of this directory and has not ended: ids by state."""
        mine = set(self.tokens())
        text = slurm("squeue", "-h", "-r", "-u", self.user, "-O", "JobArrayID:|,State:|,Name:|")
        rows = [line.split("|") for line in text.splitlines()]
        return {row[0]: row[1] for row in rows if row[2] in mine}

    def settle(self, jobs):
        """Waits until Slurm runs nothing of this directory, and its accounting knows the end of all its jobs."""
        wait_until(lambda: not self.queued(), "the queue to be empty")
        live = ("PENDING", "RUNNING", "COMPLETING", "REQUEUED")
        wait_until(lambda: len([row for row in self.accounting() if not row["State"].startswith(live)]) >= jobs,
                   f"the accounting of {jobs} jobs")

    def remaining(self):
        """The processes that were started from here and still run, in sessions of their own too: they have this PATH."""
        mine = f"PATH={self.bin}:".encode()
        for entry in Path("/proc").glob("[0-9]*/environ"):
            try:
                if any(line.startswith(mine) for line in entry.read_bytes().split(b"\0")):
                    yield int(entry.parent.name)
            except OSError:  # it has ended, or is somebody else's
                pass

    def close(self, keep):
        while pids := list(self.remaining()):  # an sbatch that never answers outlives its killed engine
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)
        if not keep:
            shutil.rmtree(self.dir, ignore_errors=True)
