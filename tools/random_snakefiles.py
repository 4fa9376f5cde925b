# SPDX-License-Identifier: MIT
"""Random workflows for random_workflows.py: a few rules that use each other's files in the ways that Snakefiles do."""
import re
from dataclasses import dataclass, field

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
    module: bool = False
    base: object = None
    code: int = 1
    param: int = 1
    log: bool = False
    extra: bool = False  # one more input


class Workflow:
    """A random workflow; its rules can change between runs."""

    def __init__(self, rnd):
        self.rnd = rnd
        self.samples = rnd.choice([["a", "b"], ["a", "b"], ["a", "ab"], ["a.b", "a"], ["x-1", "b"], ["d/a", "a"]])
        self.rules, self.orders, self.config = [], [], 1
        self.products = [Product("in/{s}.txt", ("s",)), Product("in/one.txt", ()),
                         Product("in/{n}-{s}.dat", ("n", "s"))]
        self.scatter = rnd.random() < 0.07
        self.parts = rnd.choice(["", "", "include", "module"])
        size = rnd.randint(2, 7)
        for i in range(size):
            self.add(f"r{i}", self.parts and i < size // 2)
        if rnd.random() < 0.07:
            self.alternative()
        self.prefix = rnd.random() < 0.3
        if self.scatter:
            self.add_scatter()
        self.late_all = rnd.random() < 0.2
        self.constraints = rnd.random() < 0.15
        self.targets = [p for p in self.products if p.rule and p.kind != "pipe" and (not p.uses or rnd.random() < 0.2)]
        self.localrules = [r.name for r in self.rules if rnd.random() < 0.05]
        flags = [("outputflags: temp", 0.06), ("inputflags: ancient", 0.05)]
        self.flags = {place: "".join(line + "\n" for line, p in flags if rnd.random() < p) for place in ("main", "part")}
        parts = [r for r in self.rules if r.module and not r.base]
        self.overridden = rnd.choice(parts) if self.parts == "module" and parts and rnd.random() < 0.3 else None

    def chance(self, p):
        return self.rnd.random() < p

    def add(self, name, module):
        rnd = self.rnd
        plain = [r for r in self.rules if not r.base and not r.name.startswith("s") and r.keyword == "rule"
                 and r.body == "shell" and r.module == module
                 and len(r.outputs) == 1 and r.outputs[0][1] not in ("pipe", "directory")]
        if plain and self.chance(0.1):
            return self.derive(name, rnd.choice(plain), module)
        rule = Rule(name, rnd.choice([(), (), ("s",), ("s",), ("s",), ("n",), ("n", "s")]), module=module)
        made = self.products[3:]
        pipes = [p for p in made if p.kind == "pipe" and not p.uses]
        chosen = [pipes[0]] if pipes else []
        if pipes:
            rule.wild = pipes[0].wild
        pool = [p for p in made if p.kind != "pipe"]
        for _ in range(rnd.choice([0, 1, 1, 1, 2, 2, 3])):
            p = rnd.choice(pool[-3:]) if pool and self.chance(0.75) else rnd.choice(self.products[:3])
            if p not in chosen:
                chosen.append(p)
        if any(p.kind == "checkpoint" for p in chosen) and self.chance(0.5):
            rule.wild = ()
        for p in chosen:
            p.uses += 1
            rule.inputs.append(self.use(p, rule))
        rule.inputs.sort(key=lambda text: bool(re.match(r"\w+=", text)))
        if not module and self.chance(0.08) and not pipes:
            rule.keyword = "checkpoint"
        self.outputs(rule)
        self.directives(rule)
        self.rules.append(rule)

    def use(self, p, rule):
        """An input item that takes product P in RULE."""
        rnd = self.rnd
        more = [w for w in p.wild if w not in rule.wild]
        over = ", ".join(f"{w}={w.upper()}" for w in more)
        ref = ""
        if p.rule:
            prefix = "m_" if p.rule.module and self.parts == "module" and not rule.module else ""
            ref = f"rules.{prefix}{p.rule.name}.output{p.ref}"
        wildcards = ", ".join(f"{w}=w.{w}" for w in p.wild if w not in more)
        if p.kind == "checkpoint":
            return self.checkpoint(p, more, wildcards)
        if not more:
            forms = [f'"{p.pattern}"'] * 3 + [ref or f'"{p.pattern}"']
            if p.kind != "pipe":
                forms += [f'lambda w: "{p.pattern}".format(**w)',
                          f'lambda wildcards: expand("{p.pattern}", **wildcards)[0]',
                          f'branch(True, then="{p.pattern}", otherwise="none")',
                          f'unpack(lambda w: dict(u{len(rule.inputs)}="{p.pattern}".format(**w)))',
                          f'lambda w: "{p.pattern}".format(**w) if open("in/one.txt").read() else "none"',
                          'lambda w: [f"%s"]' % re.sub("{(.)}", r"{w.\1}", p.pattern)]
        else:
            forms = [f'expand("{p.pattern}", {over}, allow_missing=True)',
                     f'collect({ref or repr(p.pattern)}, {over}, allow_missing=True)',
                     'lambda w: expand("{}", {})'.format(p.pattern, ", ".join(filter(None, [over, wildcards])))]
            if len(more) == 1 and more == list(p.wild):
                forms.append('[x for x in ["{}".format({}=v) for v in {}]]'.format(p.pattern, more[0], more[0].upper()))
        text = rnd.choice(forms)
        if p.rule and rule.keyword == "rule" and self.chance(0.05) and not more and p.kind == "file":
            text = f'before_update("{p.pattern}")'
        plain = "lambda" not in text and not re.match("branch|unpack|before", text)
        if self.chance(0.08) and plain and p.kind != "pipe":
            text = f"ancient({text})"
        if self.chance(0.25) and not text.startswith("unpack"):
            text = f"{rnd.choice('xyz')}{len(rule.inputs)}={text}"
        return text

    @staticmethod
    def checkpoint(p, more, wildcards):
        name = p.rule.name
        loops = "".join(f" for {w} in {w.upper()}" for w in more)
        given = ", ".join(filter(None, [wildcards, *(f"{w}={w}" for w in more)]))
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
        if self.chance(0.08):
            stem = self.place(rule, "m")
            for k, ext in enumerate((".x", ".y")):
                p = Product(stem + ext, rule.wild, rule, f"[{k}]")
                rule.outputs.append((None, "multiext", p))
                self.products.append(p)
            return
        for k in range(rnd.choice([1, 1, 1, 2, 2, 3])):
            flag = rnd.choice([""] * 11 + ["temp"] * 4 + ["directory"] * 2 + ["protected", "touch", "update", "ensure"])
            if k == 0 and flag == "touch":
                flag = ""
            if k == 0 and self.chance(0.05) and rule.module is False:
                flag = "pipe"
            name = f"o{k}" if named else None
            p = Product(self.place(rule, k), rule.wild, rule, f".o{k}" if named else f"[{k}]",
                        flag if flag in ("directory", "pipe") else "file")
            rule.outputs.append((name, flag, p))
            self.products.append(p)
            if flag == "pipe":
                return

    def place(self, rule, k):
        rnd = self.rnd
        """An output pattern that has all wildcards."""
        inline = {"n": rnd.choice([",[0-9]", ",1|2", ",\\\\d+"]), "s": rnd.choice([",[a-z]+", ",.+", ",[^/]+"])}
        w = rnd.choice("---._").join("{%s%s}" % (w, inline[w] if self.chance(0.1) else "") for w in rule.wild)
        forms = [f"out/{rule.name}.{k}.txt"] if not w else \
            [f"{rule.name}/{w}.{k}.txt", f"{rule.name}.{k}/{w}", f"out/{w}/{rule.name}.{k}.txt", f"{rule.name}_{k}_{w}"]
        return self.rnd.choice(forms)

    def directives(self, rule):
        rnd, chance = self.rnd, self.chance
        piped = any(f == "pipe" for _, f, _ in rule.outputs) or any(p.kind == "pipe" and p.uses for p in self.products)
        names = "_".join("{%s}" % w for w in rule.wild)
        for p, items in ((0.5, ['"v%PARAM%"']), (0.12, [f'"w{names}"']),
                         (0.15, ['k=lambda w: "f%PARAM%" + "".join(w)']), (0.15, ['c=config["v"]']),
                         (0.08, ["d={'a': %PARAM%, 'b': [1, 'x']}"]), (0.06, ["t=lambda w, threads: threads"]),
                         (0.06, ["i=lambda w, input: len(input)"]), (0.06, ["l=[1, %PARAM%]"])):
            if chance(p):
                rule.params += items
        for p, line in (
                (0.12, f"threads: {rnd.choice([1, 2, 3, 'lambda w: 2', 'lambda w, attempt: attempt'])}"),
                (0.12, "resources: mem_mb=%s, gpu=%d" % (rnd.choice([50, 200, "lambda w, attempt: 60 * attempt"]),
                                                         rnd.randint(0, 2))),
                (0.05, f"priority: {rnd.choice([1, 5, 'lambda w: 3'])}"),
                (0.07, f"retries: {rnd.randint(1, 2)}"),
                (0.06, 'group: "g"'),
                (0.03, "localrule: True"),
                (0.06, f'benchmark: "bench/{rule.name}.{names}.tsv"')):
            if chance(p) and not piped:
                rule.lines.append(line)
        if rule.wild and chance(0.12):
            rule.lines.append('wildcard_constraints: %s="%s"' % (rule.wild[0], "[a-z0-9]+"))
        rule.log = chance(0.15)
        if rule.log:
            rule.lines.append(f'log: "logs/{rule.name}.{names}.log"')
        if chance(0.03):
            rule.lines.append(f'message: "doing {rule.name} {{wildcards}} {{input}}"')
        if chance(0.015) and not piped:
            rule.lines.append('shadow: "minimal"')
        if not piped and chance(0.03) and rule.keyword == "rule":
            rule.body = "run"
        elif not piped and chance(0.06) and rule.keyword == "rule":
            rule.body = "script"

    def derive(self, name, base, module):
        rule = Rule(name, base.wild, base=base, module=module)
        p = Product(self.place(rule, 0), rule.wild, rule, "[0]")
        rule.outputs.append((None, self.rnd.choice(["", "", "temp"]), p))
        if self.chance(0.3):
            rule.params = ["x='%PARAM%'"]
        self.products.append(p)
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
        if first.base or first.keyword == "checkpoint" or first.module or len(first.outputs) != 1:
            return
        rule = Rule("alt", first.wild, inputs=['"in/one.txt"'], outputs=[(None, "", first.outputs[0][2])])
        self.rules.append(rule)
        if self.chance(0.7):
            self.orders.append(" > ".join(self.rnd.sample(["alt", first.name], 2)))

    def checkpoints(self):
        return any(r.keyword == "checkpoint" for r in self.rules)

    # --- text ---

    def texts(self):
        """The files of the workflow as it is now."""
        files = {"config.yaml": f"v: {self.config}\n"}
        head = f"S = {self.samples}\nN = ['1', '2']\n"
        parts = [r for r in self.rules if r.module]
        text = 'configfile: "config.yaml"\n' + head
        text += self.flags["main"]
        if self.scatter:
            text += "scattergather: part=2\n"
        if self.constraints:
            text += 'wildcard_constraints: n="[0-9]"\n'
        target = "rule all:\n    input:\n"
        target += "".join(f"        {self.wanted(p)},\n" for p in self.targets) or '        "in/one.txt"\n'
        if self.late_all:
            target += "    default_target: True\n"
        else:
            text += target
        if self.parts and parts:
            files["parts/part.smk"] = ("" if self.parts == "include" else head) + self.flags["part"] + \
                "".join(self.rule(r) for r in parts)
            text += 'include: "parts/part.smk"\n' if self.parts == "include" else \
                'module m:\n    snakefile: "parts/part.smk"\n    config: config\nuse rule * from m as m_*\n'
            text += self.override(self.overridden) if self.overridden else ""
        text += "".join(self.rule(r) for r in self.rules if not r.module)
        text += "".join(f"ruleorder: {order}\n" for order in self.orders)
        if self.localrules and self.parts != "module":
            text += f"localrules: {', '.join(self.localrules)}\n"
        files["Snakefile"] = text + (target if self.late_all else "")
        for r in self.rules:
            if r.body == "script":
                files[("parts/" if r.module else "") + f"{r.name}.sh"] = self.script(r)
        return files

    def wanted(self, p):
        if p.kind == "checkpoint":
            loops = ", ".join(f"{w}={w.upper()}" for w in p.wild)
            return f'expand("{p.pattern}", {loops})' if loops else f'"{p.pattern}"'
        over = ", ".join(f"{w}={w.upper()}" for w in p.wild)
        return f'expand("{p.pattern}", {over})' if over else f'"{p.pattern}"'

    def rule(self, r):
        if r.base:
            text = f"use rule {r.base.name} as {r.name} with:\n"
        else:
            text = f"{r.keyword} {r.name}:\n"
            inputs = (['"in/extra.txt"'] if r.extra else []) + r.inputs
            text += "    input:\n" + "".join(f"        {i},\n" for i in inputs) if inputs else ""
        text += "    output:\n" + "".join(f"        {o},\n" for o in self.items(r))
        if r.params:
            text += "    params:\n" + "".join(f"        {p},\n" for p in r.params).replace("%PARAM%", str(r.param))
        text += "".join(f"    {line}\n" for line in r.lines)
        if r.base:
            return text
        if r.body == "script":
            return text + f'    script: "{r.name}.sh"\n'
        body = "\n".join("        " + line for line in self.commands(r))
        if r.body == "run":
            return text + "    run:\n        shell(r'''%s''')\n" % "; ".join(self.commands(r))
        return text + f'    shell:\n        r"""\n{body}\n        """\n'

    @staticmethod
    def override(r):
        """A rule of the module once more, with other words."""
        return f"use rule {r.name} from m as m_{r.name} with:\n" + \
            (f'    params:\n        "o{r.param}",\n' if r.params else "    threads: 2\n")

    @staticmethod
    def items(r):
        if any(flag == "multiext" for _, flag, _ in r.outputs):
            return ['multiext("%s", ".x", ".y")' % r.outputs[0][2].made[:-2]]
        texts = []
        for name, flag, p in r.outputs:
            text = f'"{p.made}"'
            if flag:
                text = f"ensure({text}, non_empty=True)" if flag == "ensure" else f"{flag}({text})"
            texts.append(f"{name}={text}" if name else text)
        return texts

    @staticmethod
    def commands(r):
        words = "{params}" if r.params else ""
        fail = f'fail/{r.name}-$(echo "{{wildcards}}" | tr / -)'
        lines = [f'echo "{r.name} {{wildcards}}" >> $JOBS',
                 f"if grep -qs early {fail}; then exit 1; fi",
                 f"text=$(echo {r.name} v{r.code} {words}; (grep -rhs '' /dev/null {{input}} || true) | sort -u)"]
        for k, (_, flag, p) in enumerate(r.outputs):
            out = "{output[%d]}" % k
            if p.kind == "checkpoint":
                lines.append(f"mkdir -p {out}; for i in $(cat in/list.txt); do echo $i v{r.code} > {out}/$i.txt; done")
            elif flag == "directory":
                lines.append(f'mkdir -p {out}; echo "$text" > {out}/f.txt')
            elif flag == "scatter.part":
                lines.append('for f in {output}; do echo "$text" > $f; done')
            elif flag != "touch":
                lines.append(f'echo "$text" {">>" if flag == "update" else ">"} {out}')
        if r.log:
            lines.append("echo logged > {log}")
        return lines + [f"if grep -qs once {fail}; then rm {fail}; exit 1; fi",
                        f"if grep -qs late {fail}; then exit 1; fi"]

    @staticmethod
    def script(r):
        lines = ["#!/bin/bash", f'echo "{r.name} script" >> $JOBS']
        for k, (_, flag, p) in enumerate(r.outputs):
            out = '"${snakemake_output[%d]}"' % k
            if flag == "directory":
                lines.append(f"mkdir -p {out}; echo {r.name} v{r.code} > {out}/f.txt")
            elif flag != "touch":
                lines.append(f"echo {r.name} v{r.code} {'>>' if flag == 'update' else '>'} {out}")
        return "\n".join(lines) + "\n"
