# SPDX-License-Identifier: MIT
"""A topic of a random workflow: a few rules of its own, with what they need; see random_topics.py."""

from dataclasses import dataclass, field

COPY = ["cat {input} > {output}"]


@dataclass
class Topic:
    name: str  # of its rules and folder, too
    kind: str
    text: str = ""  # with %CODE% and %PARAM%, which change
    targets: list = field(default_factory=list)  # expressions in Python
    files: dict = field(default_factory=dict)
    always: list = field(default_factory=list)  # options of each run
    jobs: list = field(default_factory=list)  # that can be told to fail
    late: bool = False  # the targets name what its text defines
    code: int = 1
    param: int = 1

    def filled(self, text):
        return text.replace("%CODE%", str(self.code)).replace("%PARAM%", str(self.param))

    def rule(self, name, wild, directives, lines, keyword="rule", fails="early late once"):
        """Adds a rule with a shell command of these LINES; FAILS: how its jobs can be told to fail."""
        fail = f'fail/{name}-$(echo "{{wildcards}}" | tr / -)'
        early = [f"if grep -qs early {fail}; then exit 1; fi"]
        late = [f"if grep -qs once {fail}; then rm {fail}; exit 1; fi", f"if grep -qs late {fail}; then exit 1; fi"]
        if fails:
            self.jobs.append((name, wild, fails.split()))
        lines = [
            'echo "{rule} {wildcards}" >> $JOBS',
            "[ -z $SLOW ] || sleep $SLOW",
            *early * ("early" in fails),
            *lines,
            *late * bool(fails),
        ]
        self.bare(
            name,
            [*directives, 'shell:\n        r"""\n' + "".join(f"        {x}\n" for x in lines) + '        """'],
            keyword,
        )

    def bare(self, name, directives, keyword="rule"):
        self.text += f"{keyword} {name}:\n" + "".join(f"    {line}\n" for line in directives if line)


def maybe(rnd, p, line):
    return line if rnd.random() < p else ""


def flagged(rnd, path):
    """An output, temporary or not."""
    return rnd.choice(['"%s"', '"%s"', '"%s"', 'temp("%s")']) % path
