"""What the tests of rules share: the engine, and how outputs are compared with what is expected."""

import os
import shlex
import shutil
from pathlib import Path
from subprocess import PIPE, STDOUT, run

# Other ways to compare, by the suffix of a file.
cmp_cmds = {
    ".gz": ["zcmp"],
    ".bz2": ["bzcmp"],
    ".xz": ["xzcmp"],
}


def engine():
    """$WORKFLOW_ENGINE, or what is on PATH."""
    given = os.environ.get("WORKFLOW_ENGINE")
    if given:
        return shlex.split(given)
    return ["kintsugi-flow", "run"] if shutil.which("kintsugi-flow") else ["snakemake"]


def files_below(folder):
    return {Path(path, name).relative_to(folder) for path, _, names in os.walk(folder) for name in names}


class OutputChecker:
    def __init__(self, data_path, expected_path, workdir):
        self.data_path = data_path
        self.expected_path = expected_path
        self.workdir = workdir

    def check(self, cmp_cmds=cmp_cmds):
        expected = {path for path in files_below(self.expected_path) if path.name != ".gitempty"}
        missing = expected - files_below(self.workdir)
        assert not missing, f"Output files missing: {missing}"
        for path in expected:
            self.compare_files(self.expected_path / path, self.workdir / path, cmp_cmds)

    def compare_files(self, expected_file, generated_file, cmp_cmds):
        command = cmp_cmds.get(expected_file.suffix, ["cmp"])
        compared = run(command + [expected_file, generated_file], stdout=PIPE, stderr=STDOUT, text=True)
        assert not compared.returncode, f"{expected_file} differs:\n\n{compared.stdout}"
