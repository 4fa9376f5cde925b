# SPDX-License-Identifier: MIT
"""Random workflows for random_workflows.py: a few rules that use each other's files in the ways that Snakefiles do."""
import os
import re
from dataclasses import dataclass, field

from random_forms import HELPERS, input_forms, params_forms
from random_parts import random_part
from random_topics import random_topics

PLAIN = ["[a-z0-9]+", "[^_]+", "[a-z0-9./-]+"]  # constraints of a wildcard
THREADS = [1, 2, 3, 1.5, "lambda w: 2", "lambda w, attempt: attempt", "lambda w, input: len(input)"]
RESOURCES = ["mem_mb=50", "mem_mb=200", "mem_mb=lambda w, attempt: 60 * attempt", "gpu=1", "gpu=0",
             'runtime="1h"', "runtime=5", 'disk="2 GB"', 'part="x"', "disk_mb=lambda w, input: 10 * len(input)",
             "tasks=lambda w, threads: threads", 'mem="1 GB"', 'runtime=lambda w: "2m"',
             "mem_mb=lambda wildcards, input, threads, attempt: 10 * threads + attempt"]
PROFILES = ["keep-going: true", "set-threads:\n  r0: 2", "default-resources:\n  mem_mb: 20", "retries: 1",
            "set-resources:\n  r1:\n    mem_mb: 30", "rerun-triggers: [mtime, input]", "resources:\n  mem_mb: 100",
            "config:\n  val: prof", "notemp: true", "printshellcmds: true", "max-threads: 2", "forcerun: [r1]"]
HOOKS = "".join(f"on{when}:\n    shell('echo {when} >> hooks.txt')\n" for when in ("start", "success", "error"))
FLAGS = {"": "{}", "ensure": "ensure({}, non_empty=True)", "temp directory": "temp(directory({}))",
         "report": 'report({}, category="c")', "protected directory": "protected(directory({}))",
         "sha": 'ensure({}, sha256="0")', "list": "[{}]", "path": "Path({})"}
SHADOWS = ["minimal", "shallow", "full", "copy-minimal"]
RARE_FLAGS = ["protected", "touch", "update", "ensure"] * 2 + ["temp directory", "protected directory", "report", "list",
                                                                "path"]
GIVEN = 4  # of a workflow's products are there from the start
VALUES = {"s": ["a", "b", "ab", "a.b", "x-1", "d/a"], "n": ["1", "2"]}


@dataclass
class Product:
    """Files that rules can use: a pattern with wildcards, made by a rule or there from the start."""
    pattern: str
    wild: tuple
    rule: object = None
    ref: str = ""
    kind: str = "file"  # file, directory, pipe, touch, checkpoint
    uses: int = 0

    def __post_init__(self):
        self.made = self.pattern  # with constraints
        self.pattern = re.sub(r"{(\w+),[^}]*}", r"{\1}", self.pattern)


@dataclass
class Rule:
    name: str
    wild: tuple
    inputs: list = field(default_factory=list)
    outputs: list = field(default_factory=list)  # (name or None, flag, Product)
    lines: list = field(default_factory=list)  # further directives
    params: list = field(default_factory=list)
    keyword: str = "rule"
    body: str = "shell"
    depth: int = 0  # 0: the main Snakefile, 1: its part, 2: the part of that
    base: object = None
    loop: bool = False  # once for each of K, in a loop
    doc: str = ""
    code: int = 1
    param: int = 1
    log: bool = False
    extra: bool = False  # one more input


def some_resources(rnd):
    return {item.split("=")[0]: item for item in rnd.sample(RESOURCES, rnd.randint(1, 3))}.values()


class Workflow:
    """A random workflow; its rules can change between runs."""

    def __init__(self, rnd, only=()):
        self.rnd = rnd
        self.topics = random_topics(rnd, only)
        self.elsewhere = self.chance(0.12)  # runs are begun in another directory
        piped = any(t.kind in ("pipes", "services") for t in self.topics)
        self.store = not piped and self.chance(0.05)  # all files are in a storage, which leads back here
        self.mistake = ""  # lines that make it wrong
        self.samples = rnd.choice([["a", "b"], ["a", "b"], ["a", "ab"], ["a.b", "a"], ["x-1", "b"], ["d/a", "a"]])
        self.rules, self.orders, self.config = [], [], 1
        self.incomplete = False  # some files are marked so
        self.products = [Product("in/{s}.txt", ("s",)), Product("in/one.txt", ()),
                         Product("in/{n}-{s}.dat", ("n", "s")), Product("in/dir", ())]
        self.scatter = rnd.random() < 0.07
        self.parts = [random_part(rnd, kind, depth) for depth, kind in enumerate(rnd.choice(
            [[], [], ["include"], ["module"], ["module"], ["module", "module"], ["include", "module"],
             ["module", "include"]]))]
        self.hooks = rnd.random() < 0.1
        self.pathvars = rnd.random() < 0.2
        self.profile = rnd.sample(PROFILES, rnd.randint(1, 3)) if rnd.random() < 0.12 else []
        size = rnd.randint(2, 2 if only else 7)
        for i in range(size):
            self.add(f"r{i}", max(0, len(self.parts) - i * (len(self.parts) + 1) // size))
        if rnd.random() < 0.12:
            self.alternative()
        if rnd.random() < 0.1:
            self.add_suffixer()
        if self.scatter:
            self.add_scatter()
        self.late_all = rnd.random() < 0.2 or any(t.late for t in self.topics)
        self.constraints = rnd.random() < 0.15
        self.targets = [p for p in self.products if p.rule and p.kind != "pipe" and (not p.uses or rnd.random() < 0.2)]
        self.ends = self.targets  # which may be targets again
        self.localrules = [self.name_of(r, 0, r.name + "_p" * r.loop) for r in self.rules if rnd.random() < 0.05]
        self.flags = self.default_flags(any(part.kind == "module" for part in self.parts))
        for depth, part in enumerate(self.parts, 1):
            named = "".join(item for r in self.rules for item in r.inputs)  # Snakemake takes another for an overridden one
            own = [r for r in self.rules if r.depth == depth and not r.base and not r.loop
                   and f"rules.{self.name_of(r, depth - 1)}." not in named]
            part.flags = self.default_flags()
            part.override = rnd.choice(own) if part.kind == "module" and own and self.chance(0.3) else None
            part.pathvars = self.pathvars and self.chance(0.5)
            part.exclude = rnd.choice(own).name if own and part.alias != "*" and self.chance(0.08) else ""

    def default_flags(self, modules=False):
        return "".join(f"{line}\n" for line, p in (("outputflags: temp", 0.06), ("inputflags: ancient", 0.05))
                       if self.chance(p) and not (modules and "input" in line))

    # --- names and paths as a part's surroundings know them ---

    def seen(self, path, home, depth):
        """PATH of a rule at depth HOME as it is called at DEPTH, which lies further out."""
        for part in reversed(self.parts[depth:home]):
            if part.kind == "module":
                path = part.moved(path.replace("<res>", "var_" + part.name))
        return path if depth else path.replace("<res>", "var")

    def name_of(self, rule, depth, name=""):
        name = name or rule.name
        for part in reversed(self.parts[depth:rule.depth]):
            name = part.renamed(name)
        return name

    def path_of(self, p, depth=0):
        return self.seen(p.pattern, p.rule.depth, depth) if p.rule else p.pattern

    def sources(self, files):
        """FILES that are there from the start, and the same where the parts look for them."""
        files = {self.seen(name, depth, 0): text
                 for depth in range(len(self.parts) + 1) for name, text in files.items()}
        return files | {name: text for t in self.topics for name, text in t.files.items() if name.endswith(".db")}

    def chance(self, p):
        return self.rnd.random() < p

    def add(self, name, depth):
        rnd = self.rnd
        plain = [r for r in self.rules if not r.name.startswith("s") and r.keyword == "rule" and not r.loop
                 and r.body == "shell" and r.depth == depth
                 and len(r.outputs) == 1 and r.outputs[0][1] not in ("pipe", "directory")]
        if plain and self.chance(0.15):
            return self.derive(name, rnd.choice(plain), depth)
        rule = Rule(name, rnd.choice([(), (), ("s",), ("s",), ("s",), ("n",), ("n", "s")]), depth=depth)
        made = self.products[GIVEN:]
        pipes = [p for p in made if p.kind == "pipe" and not p.uses and p.rule.depth == depth]
        chosen = [pipes[0]] if pipes else []
        if pipes:
            rule.wild = pipes[0].wild
        pool = [p for p in made if p.kind != "pipe" and (p.kind != "checkpoint" or p.rule.depth == depth)]
        for _ in range(rnd.choice([0, 1, 1, 1, 2, 2, 3])):
            p = rnd.choice(pool[-3:]) if pool and self.chance(0.75) else rnd.choice(self.products[:GIVEN])
            if p not in chosen:
                chosen.append(p)
        if any(p.kind == "checkpoint" for p in chosen) and self.chance(0.5):
            rule.wild = ()
        for p in chosen:
            p.uses += 1
            rule.inputs.append(self.use(p, rule))
        rule.inputs.sort(key=lambda text: bool(re.match(r"\w+=", text)))
        if self.chance(0.08) and not pipes:
            rule.keyword = "checkpoint"
        elif self.chance(0.08) and not pipes and not any("unpack" in item for item in rule.inputs):
            rule.loop = True
        self.outputs(rule)
        self.directives(rule)
        self.rules.append(rule)

    def use(self, p, rule):
        """An input item that takes product P in RULE."""
        rnd = self.rnd
        more = [w for w in p.wild if w not in rule.wild]
        path = self.path_of(p, rule.depth)
        ref = ""
        apart = p.rule and any(part.how == "each" for part in self.parts[:p.rule.depth])
        if p.rule and not p.rule.loop and not apart:  # Snakemake loses rules that are used one by one
            ref = f"rules.{self.name_of(p.rule, rule.depth)}.output{p.ref}"
        if p.kind == "checkpoint":
            return self.checkpoint(p, rule, more)
        text = rnd.choice(input_forms(p, path, ref, rule, more, self.samples))
        if p.rule and rule.keyword == "rule" and self.chance(0.05) and not more and p.kind == "file":
            text = f'before_update("{path}")'
        plain = not re.search(r"lambda|^(branch|unpack|before|evaluate|lookup|[*\[(])", text)
        if self.chance(0.08) and plain and p.kind != "pipe":
            text = f"ancient({text})"
        if self.chance(0.25) and not re.match(r"unpack|[*]", text):
            text = f"{rnd.choice('xyz')}{len(rule.inputs)}={text}"
        return text

    def checkpoint(self, p, rule, more):
        name = self.name_of(p.rule, rule.depth)
        loops = "".join(f" for {w} in {w.upper()}" for w in more)
        given = ", ".join(f"{w}={w}" if w in more else f"{w}=w.{w}" for w in p.wild)
        return f'lambda w: sorted(f for k in [checkpoints.{name}.get({given}).output[0]{loops or " for _ in [0]"}] ' \
               'for f in expand(k + "/{i}.txt", i=glob_wildcards(k + "/{i}.txt").i))'

    def outputs(self, rule):
        rnd = self.rnd
        if rule.keyword == "checkpoint":
            p = Product(self.place(rule, "ck"), rule.wild, rule, "[0]", "checkpoint")
            rule.outputs.append((None, "directory", p))
            self.products.append(p)
            return
        named = self.chance(0.3)
        if self.chance(0.08) and not rule.loop:
            stem = self.place(rule, "m")
            for k, ext in enumerate((".x", ".y")):
                p = Product(stem + ext, rule.wild, rule, f".m{k}" if named else f"[{k}]")
                rule.outputs.append((f"m{k}" if named else None, "multiext", p))
                self.products.append(p)
            return
        for k in range(rnd.choice([1, 1, 1, 2, 2, 3])):
            flag = rnd.choice([""] * 22 + ["temp"] * 8 + ["directory"] * 4 + RARE_FLAGS + ["sha"] * self.chance(0.2))
            if k == 0 and flag == "touch":
                flag = "touch" if self.chance(0.3) and not rule.loop else ""
            if k == 0 and self.chance(0.05) and not rule.loop and not self.store:  # there, Snakemake waits for ever
                flag = "pipe"
            name = f"o{k}" if named else None
            p = Product(self.place(rule, k), rule.wild, rule, f".o{k}" if named else f"[{k}]",
                        "directory" if "directory" in flag else "pipe" if flag == "pipe" else "file")
            rule.outputs.append((name, flag, p))
            if not rule.loop:
                self.products.append(p)
            for one in "pq" if rule.loop else "":
                self.products.append(Product(p.made.replace("KK", one), rule.wild, rule, p.ref, p.kind))
            if flag == "pipe" or k == 0 and flag == "touch":
                return

    def place(self, rule, k):
        rnd = self.rnd
        """An output pattern that has all wildcards."""
        inline = {"n": rnd.choice([",[0-9]", ",1|2", ",\\\\d+"]),
                  "s": rnd.choice([",[a-z]+", ",[^/]+", ",.+", ",.+", ",.*[a-z0-9]", ",[^_]+", ",[a-z0-9./-]+"])}
        w = rnd.choice("---._").join("{%s%s}" % (w, inline[w] if self.chance(0.1) else "") for w in rule.wild)
        k = f"{k}KK" if rule.loop else k
        forms = [f"out/{rule.name}.{k}.txt"] if not w else \
            [f"{rule.name}/{w}.{k}.txt", f"{rule.name}.{k}/{w}", f"out/{w}/{rule.name}.{k}.txt", f"{rule.name}_{k}_{w}"]
        path = self.rnd.choice(forms)
        return re.sub("^out/", "<res>/", path) if self.pathvars and self.chance(0.5) else path

    def directives(self, rule):
        rnd, chance = self.rnd, self.chance
        piped = any(f == "pipe" for _, f, _ in rule.outputs) or any(p.kind == "pipe" and p.uses for p in self.products)
        names = "_".join("{%s}" % w for w in rule.wild)
        rule.params += params_forms(rnd, rule, names)
        label = f"{rule.name}KK.{names}" if rule.loop else f"{rule.name}.{names}"
        for p, line in (
                (0.12, f"threads: {rnd.choice(THREADS)}"),
                (0.15, "resources: " + ", ".join(some_resources(rnd))),
                (0.05, f"priority: {rnd.choice([1, 5, 'lambda w: 3'])}"),
                (0.07, f"retries: {rnd.randint(1, 2)}"),
                (0.08, "group: %s" % rnd.choice(['"g"', '"h"', 'lambda w: "g"', f'"g{names}"'])),
                (0.03, "localrule: True"),
                (0.02, "handover: True"),
                (0.02, 'envmodules: "a/1"'),
                (0.06, "benchmark: %s" % rnd.choice([f'"bench/{label}.tsv"', f'repeat("bench/{label}.tsv", 2)',
                                                     f'"bench/{label}.jsonl"']))):
            if chance(p) and not piped:
                rule.lines.append(line)
        if rule.wild and chance(0.12):
            rule.lines.append('wildcard_constraints: %s="%s"' % (rule.wild[0], rnd.choice(PLAIN)))
        rule.log = chance(0.15)
        if rule.log:
            rule.lines.append("log: " + rnd.choice(["%s", "e=%s", "[%s]"]) % f'"logs/{label}.log"')
        if chance(0.05):
            rule.doc = f'    """What {rule.name} does."""\n'
        if chance(0.03):
            rule.lines.append(f'message: "doing {rule.name} {{wildcards}} {{input}}"')
        if chance(0.015) and not piped:
            rule.lines.append(f'shadow: "{rnd.choice(SHADOWS)}"')
            rule.params = [p for p in rule.params if "resources" not in p]  # Snakemake's child has more of them
        flags = [flag for _, flag, _ in rule.outputs]
        if chance(0.1) and not rule.wild and rule.keyword == "rule" and (flags == [""] or "multiext" in flags):
            rule.lines = [line for line in rule.lines if "benchmark" not in line] + ["cache: True"]
        if flags == ["touch"]:
            rule.body = "none"
            rule.lines = [line for line in rule.lines if "benchmark" not in line]  # Snakemake misses what none writes
        elif not piped and chance(0.03) and rule.keyword == "rule" and not rule.loop:
            rule.body = "run"
            rule.params = [p for p in rule.params if "resources" not in p]  # Snakemake's child has more of them
        elif not piped and chance(0.06) and rule.keyword == "rule" and not rule.loop:
            rule.body = "script"

    def derive(self, name, base, depth):
        """A rule like BASE but for what stands below."""
        rule = Rule(name, base.wild, base=base, depth=depth)
        p = Product(self.place(rule, 0), rule.wild, rule, "[0]")
        rule.outputs.append((None, self.rnd.choice(["", "", "temp"]), p))
        if self.chance(0.3):
            rule.params = ["x='%PARAM%'"]
        if self.chance(0.2):
            rule.inputs = ['"in/one.txt"']
        rule.lines += [line for line in ("threads: 2", "resources: mem_mb=40", 'message: "derived"', "priority: 2",
                                         "retries: 0") if self.chance(0.05)]
        self.products.append(p)
        self.rules.append(rule)

    def change_outputs(self, rule, kind):
        """RULE's last file becomes temporary or stays, or the rule has one more output or one less; says which."""
        name, flag, p = rule.outputs[-1]
        if kind == "flag" and flag in ("", "temp", "protected"):
            rule.outputs[-1] = (name, self.rnd.choice(sorted({"", "temp", "protected"} - {flag})), p)
        elif name == "more":
            rule.outputs.pop()
        elif flag in ("", "temp", "ensure") and p.kind == "file" and rule.body == "shell" and not rule.loop \
                and "cache: True" not in rule.lines and not any(r.base is rule for r in self.rules):
            rule.outputs.append(("more", "", Product(p.made + ".more", rule.wild, rule)))
        return f"{rule.name} {rule.outputs[-1][1]}"

    def add_suffixer(self):
        """A rule that makes a file with one more suffix from any file."""
        rule = Rule("suffix", ("f",), inputs=['"{f}"'])
        rule.outputs = [(None, self.rnd.choice(["", "temp"]), Product("{f}.gz", ("f",), rule, "[0]"))]
        for p in self.rnd.sample(self.products, min(2, len(self.products))):
            if p.kind == "file" and "scatteritem" not in p.wild:
                p.uses += 1
                self.products.append(Product(self.path_of(p) + ".gz", p.wild, rule))
        self.rules.append(rule)

    def add_scatter(self):
        """A rule that makes parts, one that works on each, one that gathers them."""
        for name, wild, item, flag, path in (
                ("sc", (), '"in/one.txt"', "scatter.part", "sc/{scatteritem}.txt"),
                ("sw", ("scatteritem",), '"sc/{scatteritem}.txt"', "", "sw/{scatteritem}.txt"),
                ("sg", (), 'gather.part("sw/{scatteritem}.txt")', "", "out/sg.txt")):
            rule = Rule(name, wild, inputs=[item])
            rule.outputs = [(None, flag or self.rnd.choice(["", "temp"]), Product(path, wild, rule, "[0]"))]
            self.rules.append(rule)
        self.products.append(rule.outputs[0][2])

    def alternative(self):
        """A rule that makes what another makes."""
        first = self.rnd.choice(self.rules)
        if first.base or first.loop or first.keyword == "checkpoint" or first.depth or len(first.outputs) != 1:
            return
        p = first.outputs[0][2]
        rule = Rule("alt", first.wild, inputs=[self.rnd.choice(['"in/one.txt"', '"in/one.txt"', '"none"'])])
        if "s" in first.wild and self.chance(0.5):  # just for one sample
            rule.wild = tuple(w for w in first.wild if w != "s")
            p = Product(re.sub("{s[^}]*}", self.samples[0], p.made), rule.wild, rule)
        rule.outputs = [(None, self.rnd.choice(["", "", "temp"]), p)]
        self.rules.append(rule)
        if self.chance(0.7):
            self.orders.append(" > ".join(self.rnd.sample(["alt", first.name], 2)))

    def always(self):
        """Options of each run."""
        words = ["--default-storage-provider", "fs", "--default-storage-prefix", "store", "--max-checksum-file-size",
                 "0"] * self.store
        for topic in self.topics:
            if not set(words) & {word for word in topic.always if word.startswith("--")}:
                words += topic.always
        return words

    def cached(self):
        return any("cache: True" in r.lines for r in self.rules)

    def checkpoints(self):
        return any(r.keyword == "checkpoint" for r in self.rules) or \
            any(re.search("^checkpoint ", text, re.M) for t in self.topics for text in (t.text, *t.files.values()))

    # --- text ---

    def texts(self):
        """The files of the workflow as it is now."""
        statement = 'pathvars: res="var%s"\n'
        files = {"config.yaml": f"val: {self.config}\n"}
        if self.profile:
            files["profiles/default/config.yaml"] = "".join(f"{line}\n" for line in self.profile)
        head = f"S = {self.samples}\nN = ['1', '2']\n{HELPERS}"
        text = 'configfile: "config.yaml"\n' + head
        text += statement % "" * self.pathvars + self.flags
        if self.scatter:
            text += "scattergather: part=2\n"
        if self.constraints:
            text += 'wildcard_constraints: n="[0-9]"\n'
        text += HOOKS if self.hooks else ""
        target = "rule all:\n    input:\n"
        wanted = [self.wanted(p) for p in self.targets] + [item for t in self.topics for item in t.targets]
        target += "".join(f"        {item},\n" for item in wanted or ['"in/one.txt"'])
        if self.late_all:
            target += "    default_target: True\n"
        else:
            text += target
        for depth, part in enumerate(self.parts, 1):
            inner = self.bring_in(depth)
            own = head + statement % f"_{part.name}" * (self.pathvars and not part.pathvars)
            files[part.path] = ("" if part.kind == "include" else own) + part.flags + inner + \
                "".join(self.rule(r) for r in self.rules if r.depth == depth)
        text += self.bring_in(0)
        text += "".join(self.rule(r) for r in self.rules if not r.depth)
        text += "".join(topic.filled(topic.text) for topic in self.topics) + self.mistake
        text += "".join(f"ruleorder: {order}\n" for order in self.orders)
        if self.localrules:
            text += f"localrules: {', '.join(self.localrules)}\n"
        for topic in self.topics:
            files |= {name: topic.filled(body) for name, body in topic.files.items() if not name.endswith(".db")}
        files["Snakefile"] = text + (target if self.late_all else "")
        for r in self.rules:
            if r.body == "script":
                folder = os.path.dirname(self.parts[r.depth - 1].path) if r.depth else ""
                files[os.path.join(folder, f"{r.name}.sh")] = self.script(r)
        return files

    def bring_in(self, depth):
        """The part at DEPTH + 1, if there is one."""
        if len(self.parts) == depth:
            return ""
        rules = [self.name_of(r, depth + 1, name) for r in self.rules if r.depth > depth
                 for name in ([f"{r.name}_p", f"{r.name}_q"] if r.loop else [r.name])]
        return self.parts[depth].statement(rules, self.override) if rules else ""

    def wanted(self, p):
        path = self.path_of(p)
        over = ", ".join(f"{w}={w.upper()}" for w in p.wild)
        return f'expand("{path}", {over})' if over else f'"{path}"'

    def rule(self, r):
        if r.base:
            text = f"use rule {r.base.name} as {r.name} with:\n"
        else:
            text = f"{r.keyword}:\n" if r.loop else f"{r.keyword} {r.name}:\n"
        text += r.doc + (f'    name: "{r.name}_" + K\n' if r.loop else "")
        inputs = (['"in/extra.txt"'] if r.extra else []) + r.inputs
        text += "    input:\n" + "".join(f"        {i},\n" for i in inputs) if inputs else ""
        text += "    output:\n" + "".join(f"        {o},\n" for o in self.items(r))
        if r.params:
            text += "    params:\n" + "".join(f"        {p},\n" for p in r.params).replace("%PARAM%", str(r.param))
        text += "".join(f"    {line}\n" for line in r.lines)
        if r.base or r.body == "none":
            return text
        if r.body == "script":
            return text + f'    script: "{r.name}.sh"\n'
        if r.loop:
            text = re.sub(r'"([^"\n]*KK[^"\n]*)"', r'"\1".replace("KK", K)', text)
        body = "\n".join("        " + line for line in self.commands(r))
        if r.body == "run":
            return text + "    run:\n        shell(r'''%s''')\n" % "; ".join(self.commands(r))
        text += f'    shell:\n        r"""\n{body}\n        """\n'
        return 'for K in ["p", "q"]:\n' + re.sub("(?m)^", "    ", text).rstrip(" ") if r.loop else text

    @staticmethod
    def override(r):
        """Other words for a rule of a module."""
        return f'    params:\n        "o{r.param}",\n' if r.params else "    threads: 2\n"

    @staticmethod
    def items(r):
        if any(flag == "multiext" for _, flag, _ in r.outputs):
            named = [f"{name}=" if name else "" for name, _, _ in r.outputs]
            return ['multiext("%s", %s".x", %s".y")' % (r.outputs[0][2].made[:-2], *named)]
        texts = []
        for name, flag, p in r.outputs:
            text = f'"{p.made}"'
            text = FLAGS.get(flag, flag + "({})").format(text)
            texts.append(f"{name}={text}" if name else text)
        return texts

    @staticmethod
    def commands(r):
        words = " ".join(["{params}"] * bool(r.params) + ["{threads}"] * any("threads:" in line for line in r.lines))
        fail = f'fail/{r.name}-$(echo "{{wildcards}}" | tr / -)'
        lines = ['echo "{rule} {wildcards}" >> $JOBS', "[ -z $SLOW ] || sleep $SLOW",
                 f"if grep -qs early {fail}; then exit 1; fi",
                 f"text=$(echo {r.name} v{r.code} {words}; (grep -rhs '' /dev/null {{input}} || true) | sort -u)"]
        for k, (_, flag, p) in enumerate(r.outputs):
            out = "{output[%d]}" % k
            if p.kind == "checkpoint":
                lines.append(f"mkdir -p {out}; for i in $(cat in/list.txt); do echo $i v{r.code} > {out}/$i.txt; done")
            elif "directory" in flag:
                lines.append(f'mkdir -p {out}; echo "$text" > {out}/f.txt')
            elif flag == "scatter.part":
                lines.append('for f in {output}; do echo "$text" > $f; done')
            elif flag != "touch":
                lines.append(f'echo "$text" {">>" if flag == "update" else ">"} {out}')
        if r.log:
            lines.append("echo logged > {log}")
        if r.outputs[0][2].kind == "file" and r.outputs[0][1] != "scatter.part":
            lines.append(f"if grep -qs empty {fail}; then : > {{output[0]}}; fi")
        return lines + [f"if grep -qs once {fail}; then rm {fail}; exit 1; fi",
                        f"if grep -qs late {fail}; then exit 1; fi"]

    @staticmethod
    def script(r):
        lines = ["#!/bin/bash", f'echo "{r.name} script" >> $JOBS']
        for k, (_, flag, p) in enumerate(r.outputs):
            out = '"${snakemake_output[%d]}"' % k
            if "directory" in flag:
                lines.append(f"mkdir -p {out}; echo {r.name} v{r.code} > {out}/f.txt")
            elif flag != "touch":
                lines.append(f"echo {r.name} v{r.code} {'>>' if flag == 'update' else '>'} {out}")
        return "\n".join(lines) + "\n"
