# SPDX-License-Identifier: MIT
"""Parts of random workflows that have a topic: pipes in groups, services, queues, checksums, retries, scripts, ...

A topic is a few rules of its own beside those of random_snakefiles.py. It reads sources and, some of them, what other
rules make; its code and its parameters can change between runs.
"""

from random_topic import COPY, Topic, flagged, maybe
from random_topics_changes import CHANGE_TOPICS
from random_topics_rules import RULE_TOPICS


def pipes(rnd, t):
    """A chain of pipes, one in each sample, in groups or not."""
    n, group = t.name, rnd.choice(["", "", f'group: "{t.name}"', f'group: "{t.name}{{s}}"'])
    some = rnd.random() < 0.3  # of its rules name the group
    t.rule(
        n + "a",
        "s",
        [
            'input: "in/{s}.txt"',
            f'output: pipe("{n}/{{s}}.p")' + maybe(rnd, 0.3, ", " + flagged(rnd, n + "/{s}.side")),
            group,
        ],
        ["for k in 1 2 3; do cat {input}; done > {output[0]}", "for f in {output}; do [ -p $f ] || echo s > $f; done"],
        fails="late once",
    )
    last = f"{n}/{{s}}.p"
    if rnd.random() < 0.4:
        t.rule(
            n + "b",
            "s",
            [f'input: "{last}"', f'output: pipe("{n}/{{s}}.p2")', "" if some else group],
            ["sort {input} > {output}"],
            fails="late once",
        )
        last = f"{n}/{{s}}.p2"
    t.rule(
        n + "c",
        "s",
        [
            f'input: "{last}"' + maybe(rnd, 0.4, ', "in/one.txt"'),
            f'output: "{n}/{{s}}.txt"',
            "" if some else group,
            maybe(rnd, 0.2, "params: %PARAM%"),
        ],
        COPY,
        fails="late once",
    )
    t.targets.append(f'expand("{n}/{{s}}.txt", s=S)')


def services(rnd, t):
    """A server that runs while its clients do."""
    n, wild = t.name, rnd.choice(["", "s"])
    sock = f"{n}/sock" + ("{s}" if wild else "")
    group = maybe(rnd, 0.3, f'group: "{n}{{s}}"' if wild else f'group: "{n}"')
    t.rule(
        n + "v",
        wild,
        [maybe(rnd, 0.5, 'input: "in/one.txt"'), f'output: service("{sock}")', group],
        ["echo served > {output}", "sleep 1000"],
        fails="",
    )
    t.rule(
        n + "u",
        "s",
        [f'input: "{sock}", "in/{{s}}.txt"', f'output: "{n}/{{s}}.txt"', group],
        ["sleep 0.1; cat {input} > {output}"],
    )
    if rnd.random() < 0.4:
        t.rule(n + "w", "s", [f'input: "{n}/{{s}}.txt", "{sock}"', f'output: "{n}/{{s}}.w"', group], COPY)
        t.targets.append(f'expand("{n}/{{s}}.w", s=S)')
    t.targets.append(f'expand("{n}/{{s}}.txt", s=S)')


def queues(rnd, t):
    """Inputs that a queue tells."""
    n = t.name
    t.text += f"import queue\n{n}_q = queue.Queue()\n"
    t.text += f'for x in [*expand("{n}/{{s}}.txt", s=S), "in/one.txt", "done"]:\n    {n}_q.put(x)\n'
    t.rule(n + "a", "s", ['input: "in/{s}.txt"', "output: " + flagged(rnd, n + "/{s}.txt")], COPY)
    t.rule(
        n + "b",
        "",
        [f'input: from_queue({n}_q, finish_sentinel="done")', f'output: "{n}/all.txt"'],
        ["cat $(echo {input} | tr ' ' '\\n' | sort) > {output}"],
    )
    t.targets.append(f'"{n}/all.txt"')


def checksums(rnd, t):
    """Outputs whose content or size is told; some of them are not so."""
    n = t.name
    wrong = rnd.choice(['"zz"', "S[0]", "S[-1]"])
    how = rnd.choice([f'{rnd.choice(["sha256", "md5", "sha1"])}=%s', "%s", "non_empty=True"])
    if "%s" in how:
        algorithm = how.split("=")[0] if "=" in how else "sha256"
        t.text += (
            f'import hashlib\ndef {n}_sum(w):\n    return hashlib.{algorithm}(f"{{w.s}}\\n".encode()).hexdigest()\n'
        )
        how = f"{algorithm}={n}_sum"
    retry = rnd.choice(["", "retries: 1", "retries: 2"])
    t.rule(
        n + "a",
        "s",
        [
            f'output: ensure("{n}/{{s}}.txt", {how})' + maybe(rnd, 0.3, f', "{n}/{{s}}.more"'),
            retry,
            f"params: wrong=lambda w, attempt=1: w.s == {wrong}",
            "resources: att=lambda w, attempt: attempt",
        ],
        [
            "if [ {params.wrong} = True ] && [ {resources.att} -lt 2 ]; then echo -n > {output[0]}; "
            "else echo {wildcards.s} > {output[0]}; fi",
            "for f in {output}; do [ -e $f ] || echo m > $f; done",
        ],
    )
    t.rule(n + "b", "", [f'input: expand("{n}/{{s}}.txt", s=S)', f'output: "{n}/all.txt"'], COPY)
    t.targets += [f'"{n}/all.txt"']


def updates(rnd, t):
    """A file that a job changes in place, jobs that want it as it was and as it becomes."""
    n = t.name
    if rnd.random() < 0.7:
        t.files[f"{n}.db"] = "begin\n"
    t.rule(
        n + "a",
        "",
        [
            f'input: "in/one.txt"' + maybe(rnd, 0.4, ', "in/extra.txt"'),
            f'output: update("{n}.db")',
            maybe(rnd, 0.3, "params: %PARAM%"),
            maybe(rnd, 0.2, "retries: 1"),
        ],
        ["cat {input} >> {output}"],
    )
    if f"{n}.db" in t.files:
        t.rule(n + "b", "", [f'input: before_update("{n}.db")', f'output: "{n}.before"'], COPY)
        t.targets.append(f'"{n}.before"')
    t.rule(n + "c", "", [f'input: "{n}.db"', f'output: "{n}.after"'], COPY)
    t.targets.append(f'"{n}.after"')


def flaky(rnd, t):
    """Jobs that succeed at their second or third attempt."""
    n, need = t.name, rnd.choice([1, 2, 3])
    t.rule(
        n + "a",
        "s",
        [
            maybe(rnd, 0.5, 'input: "in/{s}.txt"'),
            "output: " + flagged(rnd, n + "/{s}.txt"),
            maybe(rnd, 0.8, f"retries: {rnd.choice([1, 2, 3])}"),
            maybe(rnd, 0.3, f'group: "{n}"'),
            maybe(rnd, 0.3, f'log: "{n}/{{s}}.log"'),
            "resources: att=lambda w, attempt: attempt, mem_mb=lambda w, attempt: 10 * attempt",
        ],
        [
            f"echo half > {{output}}; [ {{resources.att}} -ge {need} ]",
            "echo {resources.att} {resources.mem_mb} > {output}",
        ],
    )
    t.rule(n + "b", "s", [f'input: "{n}/{{s}}.txt"', f'output: "{n}/{{s}}.b"', maybe(rnd, 0.3, f'group: "{n}"')], COPY)
    t.targets.append(f'expand("{n}/{{s}}.b", s=S)')


def grouped(rnd, t):
    """Chains of jobs in groups."""
    n = t.name
    groups = [rnd.choice(["", f'group: "{n}"', f'group: "{n}"', f'group: "{n}{{s}}"']) for _ in range(3)]
    t.rule(
        n + "a",
        "s",
        [
            'input: "in/{s}.txt"',
            "output: " + flagged(rnd, n + "/{s}.a"),
            groups[0],
            f"threads: {rnd.choice([1, 2, 9])}",
        ],
        ["cat {input} > {output}; echo {threads} >> {output}"],
    )
    t.rule(
        n + "b",
        "s",
        [
            f'input: "{n}/{{s}}.a"',
            f'output: "{n}/{{s}}.b"',
            groups[1],
            "params: %PARAM%",
            maybe(rnd, 0.4, "resources: mem_mb=60, tok=1"),
        ],
        COPY,
    )
    t.rule(
        n + "c",
        "",
        [f'input: expand("{n}/{{s}}.b", s=S)', f'output: "{n}/all.txt"', groups[2].replace("{s}", "")],
        COPY,
    )
    t.targets.append(f'"{n}/all.txt"')
    t.always = rnd.choice([[], [], ["--group-components", f"{n}=2"], ["--groups", f"{n}c={n}"]])


def settings(rnd, t):
    """Parameters from a configuration that is merged from several files, by lookup and branch."""
    n = t.name
    forms = [
        'a=lookup("nest/{s}", within=config, default="none")',
        'b=lookup("nest/in/deep", within=config)',
        'c=branch(lookup("nest/on", within=config, default=False), then="yes", otherwise="no")',
        'd=lambda w: config["nest"]["in"]',
        'e=lookup(lambda w: "nest/" + w.s, within=config, default=None)',
        'f=branch("nest" in config, then=lookup("nest/list", within=config, default=[]), otherwise=0)',
        'g=branch(lookup("nest/kind", within=config, default="k"), cases={"k": "K", "l": ["L", "M"]})',
        'h=config.get("nest", {}).get("list", [0])[-1]',
        'i=branch(lambda wildcards: wildcards.s in config["nest"], then="in", otherwise="out")',
        "j=evaluate(\"{s} in ['a', 'b']\")",
        'k=collect("{x}-{s}", x=lookup("nest/list", within=config), allow_missing=True)',
    ]
    t.files |= {
        f"{n}.yaml": "nest:\n  a: 1\n  list: [1, 2]\n  in: {deep: 3, x: null}\n",
        f"{n}-2.yaml": "nest:\n  a: [x]\n  on: true\n  in: {deep: {er: 1.5}}\n  kind: l\n",
        f"{n}-3.json": '{"nest": {"list": [7], "b": "1e3", "in": {"y": true}}, "val": "json"}',
    }
    t.text += f'configfile: "{n}.yaml"\n'
    params = ", ".join(rnd.sample(forms, rnd.randint(2, 5)))
    t.rule(
        n + "a",
        "s",
        [
            'input: branch(exists("in/extra.txt"), then="in/{s}.txt", otherwise="in/one.txt")',
            f'output: "{n}/{{s}}.txt"',
            f"params: {params}",
        ],
        ['echo "{params}" > {output}'],
    )
    t.targets.append(f'expand("{n}/{{s}}.txt", s=S)')
    t.always = rnd.choice(
        [
            [],
            ["--configfile", f"{n}-2.yaml"],
            ["--configfile", f"{n}-3.json", f"{n}-2.yaml"],
            ["--configfile", f"{n}-2.yaml", f"{n}-3.json"],
            ["--config", "nest={a: 9, in: {deep: {z: 1}}}"],
            ["--configfile", f"{n}-3.json", "--config", "nest={on: 1}"],
        ]
    )


SHOWN = """\
import json, os
with open(os.environ["JOBS"], "a") as jobs:
    print(snakemake.rule, dict(snakemake.wildcards.items()), file=jobs)
def plain(x):
    return {k: plain(v) for k, v in x.items()} if isinstance(x, dict) else [plain(v) for v in x] \\
        if isinstance(x, (list, tuple)) else x if isinstance(x, (int, float, bool, type(None))) else str(x)
out = {"code": %CODE%, "input": plain(list(snakemake.input)), "named": plain(dict(snakemake.input.items())),
       "params": plain(list(snakemake.params)), "params named": plain(dict(snakemake.params.items())),
       "threads": snakemake.threads, "log": plain(list(snakemake.log)), "config": plain(snakemake.config),
       "mem": snakemake.resources.get("mem_mb", 0) % 1000, "wildcards": dict(snakemake.wildcards.items()),
       "rule": snakemake.rule, "output": plain(list(snakemake.output)), "bench": snakemake.bench_iteration,
       "here": os.path.relpath(snakemake.scriptdir)}
for k, path in enumerate(snakemake.output):
    with open(path, "w") as f:
        print(json.dumps(out, sort_keys=True, indent=1), file=f)
for path in snakemake.log:
    open(path, "w").close()
"""


def scripts(rnd, t):
    """A script in Python that shows all that it is told."""
    n = t.name
    params = rnd.sample(["1", '"x y"', "[1, 'a']", "None"], rnd.randint(0, 2)) + rnd.sample(
        [
            "p=%PARAM%",
            "q={'a': [1, None], 'b': 'x'}",
            "r=lambda w, input: list(input)",
            "t=(1, 2.5)",
            "u=True",
            "v=lambda w, threads: [threads]",
            "s='{s}'",
        ],
        rnd.randint(1, 3),
    )
    script = rnd.choice([f'"{n}.py"', f'"scripts/{n}.py"', f'f"scripts/{{K_{n}}}.py"'])
    if "K_" in script:
        t.text += f'K_{n} = "{n}"\n'
    t.bare(
        n + "a",
        [
            'input: "in/{s}.txt"' + rnd.choice(["", ', one="in/one.txt"', ', many=["in/one.txt", "in/extra.txt"]']),
            f'output: "{n}/{{s}}.json"' + maybe(rnd, 0.4, f', o=temp("{n}/{{s}}.o")'),
            f"params: {', '.join(params)}",
            maybe(rnd, 0.4, f'log: "{n}/{{s}}.log"'),
            maybe(rnd, 0.5, "threads: 2"),
            # in a shadow directory, Snakemake's child has resources of its own
            rnd.choice(["resources: mem_mb=lambda w, input: 10 * len(input)"] * 3 + ['shadow: "minimal"'] + [""] * 2),
            f"script: {script}",
        ],
    )
    t.files["scripts/%s.py" % n if "scripts" in script else n + ".py"] = SHOWN
    t.targets.append(f'expand("{n}/{{s}}.json", s=S)')


def templates(rnd, t):
    """A text with gaps."""
    n, engine = t.name, rnd.choice(["jinja2", "yte"])
    text = "{{ params.p }} {{ wildcards.s }} {{ input[0] }}\n{% for x in params.l %}<{{ x }}>{% endfor %}\nv%CODE%\n"
    if engine == "yte":
        text = "list:\n  ?for x in params.l:\n    - ?x\nname: ?wildcards.s\np: ?params.p\nfrom: ?input[0]\nv: %CODE%\n"
    t.files[f"{n}.tmpl"] = text
    t.bare(
        n + "a",
        [
            f'input: "{n}.tmpl", "in/{{s}}.txt"',
            f'output: "{n}/{{s}}.txt"',
            "params: p=%PARAM%, l=[1, 'b']",
            f'template_engine: "{engine}"',
        ],
    )
    t.targets.append(f'expand("{n}/{{s}}.txt", s=S)')


def checkpoints_in_row(rnd, t):
    """A checkpoint for each sample, jobs for what it has found, one more checkpoint behind them."""
    n = t.name
    flag = rnd.choice(['directory("%s")', 'directory("%s")', 'temp(directory("%s"))'])
    t.rule(
        n + "a",
        "s",
        ['input: "in/{s}.txt"', "output: " + flag % (n + "a/{s}")],
        ["mkdir -p {output}; for i in $(cat in/list.txt); do echo $i v%CODE% > {output}/$i.txt; done"],
        "checkpoint",
    )
    t.rule(n + "b", "s", [f'input: "{n}a/{{s}}/{{i}}.txt"', "output: " + flagged(rnd, n + "b/{s}/{i}")], COPY, fails="")
    t.text += (
        f"def {n}_parts(w):\n    found = checkpoints.{n}a.get(s=w.s).output[0]\n"
        f'    return sorted(expand("{n}b/{{s}}/{{i}}", s=w.s, i=glob_wildcards(found + "/{{i}}.txt").i))\n'
    )
    keyword = rnd.choice(["rule", "checkpoint"])
    t.rule(
        n + "c",
        "s",
        [f"input: {n}_parts", f'output: "{n}c/{{s}}.txt"', maybe(rnd, 0.3, "params: %PARAM%")],
        COPY,
        keyword,
    )
    if keyword == "checkpoint":
        t.text += (
            f"def {n}_lines(w):\n    with checkpoints.{n}c.get(s=w.s).output[0].open() as f:\n"
            f'        return ["in/one.txt", "in/extra.txt"][:sum(1 for _ in f)]\n'
        )
        t.rule(n + "d", "s", [f"input: {n}_lines", f'output: "{n}d/{{s}}.txt"'], COPY)
        t.targets.append(f'expand("{n}d/{{s}}.txt", s=S)')
    t.targets.append(f'expand("{n}c/{{s}}.txt", s=S)')


def attributes(rnd, t):
    """What a workflow says of itself."""
    n = t.name
    forms = [
        "a=os.path.relpath(workflow.basedir)",
        "b=os.path.basename(workflow.main_snakefile)",
        "c=workflow.cores",
        "d=[os.path.basename(str(p)) for p in workflow.configfiles]",
        "e=os.path.basename(workflow.snakefile)",
        "f=workflow.default_target",
        "g=[r.name for r in workflow.rules][:2]",
        "h=len(list(workflow.rules))",
        "i=config.get('val')",
        "k=os.path.relpath(workflow.current_basedir)",
    ]
    t.text += "import os\n"
    t.rule(
        n + "a",
        "",
        [f'output: "{n}/a.txt"', f"params: {', '.join(rnd.sample(forms, 3))}"],
        ['echo "{params}" > {output}'],
    )
    t.targets.append(f'"{n}/a.txt"')


def shadows(rnd, t):
    """Jobs in a directory of their own, which leave more there than they should."""
    n = t.name
    log = maybe(rnd, 0.4, f'log: "{n}/{{s}}.log"')
    t.rule(
        n + "a",
        "s",
        [
            'input: "in/{s}.txt", "in/dir"',
            f'output: "{n}/{{s}}.txt"'
            + maybe(rnd, 0.4, f', directory("{n}/{{s}}.d")')
            + maybe(rnd, 0.3, f', temp("{n}/{{s}}.t")'),
            log,
            f'shadow: "{rnd.choice(["minimal", "shallow", "full", "copy-minimal"])}"',
        ],
        [
            "echo junk > junk-{wildcards.s}",
            "cat {input[0]} in/dir/f.txt > {output[0]}",
            "for f in {output}; do case $f in *.d) mkdir -p $f; echo x > $f/x;; *.t) echo t > $f;; esac; done",
            "echo l > {log}" if log else "true",
        ],
    )
    t.targets.append(f'expand("{n}/{{s}}.txt", s=S)')
    t.always = rnd.choice([[], ["--shadow-prefix", "shd"]])


def serial(rnd, t):
    """Jobs that must not overlap, for a resource or for their threads."""
    n = t.name
    by = rnd.choice(["threads: 99", "resources: tok=1", "resources: tok=lambda w, attempt: 2"])
    t.rule(
        n + "a",
        "s",
        [
            'input: "in/{s}.txt"',
            f'output: "{n}/{{s}}.txt"',
            by,
            f'priority: {rnd.choice([0, 1, "lambda w: len(w.s)"])}',
        ],
        [f"mkdir {n}.lock || echo overlap > {n}.overlap; sleep 0.05; rmdir {n}.lock; cat {{input}} > {{output}}"],
    )
    t.targets.append(f'expand("{n}/{{s}}.txt", s=S)')
    t.always = ["--resources", "tok=2" if "lambda" in by else "tok=1"] if "tok" in by else []


def defaults(rnd, t):
    """Resources by default, in expressions."""
    n = t.name
    t.rule(
        n + "a",
        "s",
        [
            'input: "in/{s}.txt", "in/one.txt"',
            f'output: "{n}/{{s}}.txt"',
            maybe(rnd, 0.3, "threads: 2"),
            maybe(rnd, 0.3, "resources: mem_mb=77"),
            maybe(rnd, 0.3, "retries: 1"),
        ],
        ["echo {resources.mem_mb} {resources.foo} {threads} > {output}"],
    )
    t.targets.append(f'expand("{n}/{{s}}.txt", s=S)')
    foo = rnd.choice(
        ["foo=attempt*3", "foo='txt'", "foo=threads+1", "foo=len(input)", "foo=1 if attempt > 1 else 4", "foo=7"]
    )
    t.always = [
        "--default-resources",
        rnd.choice(["mem_mb=max(2*len(input), 100)", "mem_mb=20*attempt", "mem_mb=min(5, 9)", "mem='30 MB'"]),
        foo,
    ]
    if rnd.random() < 0.5:
        t.always += rnd.choice(
            [
                ["--set-resources", f"{n}a:mem_mb=attempt*11"],
                ["--set-threads", f"{n}a=2"],
                ["--set-resources", f"{n}a:foo=3", f"{n}a:mem_mb=40"],
                ["--set-resources", f"{n}a:foo='max(1, threads)'"],
            ]
        )


def stored(rnd, t):
    """Files of a storage of kind fs; their copies here stay or not, sources may have none."""
    n = t.name
    kept = maybe(rnd, 0.3, "    keep_local=True,\n")
    t.text += f'storage {n}_st:\n    provider="fs",\n{kept}'
    flag = rnd.choice(["%s", "%s", "temp(%s)", "protected(%s)"])
    own = maybe(rnd, 0.2, ", retrieve=False") or maybe(rnd, 0.2, ", keep_local=True")
    t.rule(
        n + "a",
        "s",
        [
            'input: storage.%s_st("in/{s}.txt"%s)' % (n, own) + maybe(rnd, 0.3, ', "in/one.txt"'),
            f"output: storage.{n}_st(%s)" % flag % f'"{n}/{{s}}.st"' + maybe(rnd, 0.3, f', "{n}/{{s}}.beside"'),
            maybe(rnd, 0.3, "params: %PARAM%"),
            maybe(rnd, 0.2, "retries: 1"),
        ],
        ["for f in {output}; do mkdir -p $(dirname $f); cat {input} > $f; done"],
    )
    item = rnd.choice(
        [
            f'storage.{n}_st(expand("{n}/{{s}}.st", s=S))',
            f"expand(rules.{n}a.output[0], s=S)",
            f'[storage.{n}_st(f"{n}/{{s}}.st") for s in S]',
            f'lambda w: [storage.{n}_st(f"{n}/{{s}}.st") for s in S]',
        ]
    )
    t.rule(n + "b", "", [f"input: {item}", f'output: "{n}/all.txt"'], COPY)
    t.targets.append(f'"{n}/all.txt"')
    if rnd.random() < 0.3:
        t.rule(n + "c", "", ['output: storage.%s_st(directory("%s/dir"))' % (n, n)],
               ["mkdir -p {output}; echo v%CODE% > {output}/f"], fails="")
        item = f'input: storage.{n}_st("{n}/dir")'
        t.rule(n + "d", "", [item, f'output: "{n}/d.txt"'], ["cat {input}/f > {output}"])
        t.targets.append(f'"{n}/d.txt"')
    t.always = rnd.choice([[], [], [], ["--keep-storage-local-copies"]])


def spaces(rnd, t):
    """Instances of a parameter space."""
    n, t.late = t.name, True
    args = rnd.choice(
        [
            "",
            ', filename_params="*"',
            ', param_sep="_"',
            ', filename_params=["be"], filename_sep="__"',
            ', single_wildcard="ps"',
        ]
    )
    t.text += (
        "import pandas as pd\nfrom snakemake.utils import Paramspace\n"
        f'{n}_sp = Paramspace(pd.DataFrame({{"al": [1, 2], "be": [0.5, 0.25], "ga": ["x", "y"]}}){args})\n'
    )
    t.rule(
        n + "a",
        "",
        [f'output: f"{n}/{{{n}_sp.wildcard_pattern}}.txt"', f"params: sim={n}_sp.instance"],
        ['echo "{params.sim}" {wildcards} > {output}'],
        fails="",
    )
    t.targets.append(f'expand("{n}/{{p}}.txt", p={n}_sp.instance_patterns)')


def scattered(rnd, t):
    """Parts of each sample, their number told by option or not."""
    n = t.name
    t.text += f"scattergather:\n    {n}={rnd.choice([2, 3])}\n"
    t.rule(
        n + "a",
        "s",
        ['input: "in/{s}.txt"', f'output: scatter.{n}("{n}/{{{{s}}}}/{{scatteritem}}.a")'],
        ["for f in {output}; do cat {input} > $f; done"],
    )
    t.rule(
        n + "b",
        "",
        [f'input: "{n}/{{s}}/{{scatteritem}}.a"', "output: " + flagged(rnd, n + "/{s}/{scatteritem}.b")],
        COPY,
        fails="",
    )
    t.rule(n + "c", "s", [f'input: gather.{n}("{n}/{{{{s}}}}/{{scatteritem}}.b")', f'output: "{n}/{{s}}.txt"'], COPY)
    t.targets.append(f'expand("{n}/{{s}}.txt", s=S)')
    t.always = rnd.choice([[], [], ["--set-scatter", f"{n}=4"]])


TOPICS = {
    f.__name__: f
    for f in (
        pipes,
        services,
        queues,
        checksums,
        updates,
        flaky,
        grouped,
        settings,
        scripts,
        templates,
        checkpoints_in_row,
        attributes,
        shadows,
        serial,
        defaults,
        stored,
        spaces,
        scattered,
    )
} | RULE_TOPICS | CHANGE_TOPICS


def random_topics(rnd, only):
    """Topics of a workflow, often none; ONLY these, each time, if any are named."""
    kinds = only or rnd.sample(sorted(TOPICS), rnd.choice([0, 1, 1, 2]))
    topics = [Topic(f"t{i}", kind) for i, kind in enumerate(kinds)]
    for topic in topics:
        TOPICS[topic.kind](rnd, topic)
    return topics
