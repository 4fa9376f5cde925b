# SPDX-License-Identifier: MIT
"""Topics of random workflows in which more than a command changes between runs: tables, modules, flags, functions."""

from random_topic import COPY, flagged, maybe

NESTED = [
    "temp(touch({}))",
    "touch(temp({}))",
    "protected(touch({}))",
    "temp(ensure({}, non_empty=True))",
    "ensure(temp({}), non_empty=True)",
    "protected(ensure({}, non_empty=True))",
    'report(temp({}), category="c")',
    'temp(report({}, caption="in/one.txt"))',
    'report(protected({}), labels={{"s": "{{s}}"}})',
    "local({})",
    "temp(local({}))",
    "expand({}, x=1, allow_missing=True)",
    "temp(expand({}, x=1, allow_missing=True))",
    "[temp({})]",
    "*[{}]",
]
ANCIENT = [
    "{}",
    "ancient({})",
    "[ancient({})]",
    "ancient([{}])",
    "ancient(expand({}, x=1, allow_missing=True))",
    "local({})",
    "ancient(local({}))",
    "branch(True, then=ancient({}))",
    "*[ancient({})]",
    "ancient(lambda w: {}.format(s=w.s))",
    "lambda w: [ancient({}.format(s=w.s)), []]",
    "unpack(lambda w: {{'k': ancient({}.format(s=w.s)), 'none': []}})",
]


def nested(rnd, t):
    """Flags within flags, in a chain of files."""
    n, last = t.name, "in/{s}.txt"
    for x in "abc"[: rnd.randint(2, 3)]:
        outputs = [rnd.choice(NESTED).format(f'"{n}/{{s}}.{x}{k}"') for k in range(rnd.randint(1, 2))]
        item = rnd.choice(ANCIENT).format(f'"{last}"')
        t.rule(
            n + x,
            "s",
            [f"input: {item}", f"output: {', '.join(outputs)}", maybe(rnd, 0.3, "params: %PARAM%")],
            ["for f in {output}; do cat {input} > $f; done"],
        )
        last = f"{n}/{{s}}.{x}0"
    t.targets.append(f'expand("{last}", s=S)')


def sheets(rnd, t):
    """A table of samples that grows, loses a line, and has other values."""
    n = t.name
    t.files[f"{n}.tsv"] = "sample\tunit\tpath\tv\n" + "".join(
        f"{s}\t{u}\tin/{path}.txt\t{v}\n"
        for s, u, path, v in (
            ("k", 1, "one", "%PARAM%"),
            ("k", 2, "extra", 5),
            ("l", 1, "one", 6),
            ("m", 1, "list", 7),
        )
    )
    t.text += (
        f'import pandas as pd\n{n}_df = pd.read_csv("{n}.tsv", sep="\\t", dtype=str)'
        '.set_index(["sample", "unit"], drop=False).sort_index()\n'
        f"{n}_df = {n}_df.iloc[:2 + %CODE% % 3]\n"
        f"{n}_x = {n}_df.rename(columns={{'sample': 'x'}})\n"
        f'{n}_samples = list(dict.fromkeys({n}_df["sample"]))\n'
        f"def {n}_paths(w):\n    return {n}_df.loc[w.x, 'path'].tolist()\n"
        f"def {n}_units(w):\n    return expand('{n}/{{x}}-{{u}}.a', x=w.x, u={n}_df.loc[w.x].index.tolist())\n"
    )
    paths = rnd.choice(
        [
            f"lambda w: {n}_df.loc[(w.x, w.u), 'path']",
            f"lookup(query=\"sample == '{{x}}' & unit == '{{u}}'\", within={n}_df, cols='path')",
            f"lambda wc: {n}_df.loc[(wc.x, wc.u)]['path']",
        ]
    )
    params = rnd.choice(
        [
            f"v=lambda w: {n}_df.loc[(w.x, w.u), 'v']",
            f"v=lookup(query=\"sample == '{{x}}' & unit == '{{u}}'\", within={n}_df, cols='v')",
            f"v=lambda w: {n}_df.loc[(w.x, w.u)].to_dict()",
            "v='{x}{u}'",
        ]
    )
    t.rule(
        n + "a",
        "",
        [f"input: {paths}", "output: " + flagged(rnd, n + "/{x}-{u}.a"), f"params: {params}"],
        ['echo "{params}" > {output}; cat {input} >> {output}'],
        fails="",
    )
    inputs = rnd.choice(
        [
            f"{n}_units",
            f"{n}_units, p={n}_paths",
            f"collect('{n}/{{x}}-{{u}}.a', u=lookup(query=\"sample == '{{x}}'\", within={n}_df, cols='unit'), "
            "allow_missing=True)",
        ]
    )
    t.rule(n + "b", "", [f"input: {inputs}", f'output: "{n}/{{x}}.b"'], ["cat {input} > {output}"], fails="")
    t.rule(
        n + "c",
        "",
        [
            "input: "
            + rnd.choice(
                [
                    f"expand('{n}/{{x}}.b', x={n}_samples)",
                    f"expand(rules.{n}b.output, x={n}_samples)",
                    f"collect('{n}/{{t.x}}.b', t=lookup(query='unit == \"1\"', within={n}_x))",
                ]
            ),
            f'output: "{n}/all.txt"',
            maybe(rnd, 0.3, f"params: n=len({n}_samples)"),
        ],
        COPY,
    )
    t.targets.append(f'"{n}/all.txt"')


def twins(rnd, t):
    """A module that is used twice, each time with its own configuration, and with a rule that is overridden."""
    n = t.name
    checkpoint = rnd.random() < 0.3
    t.files[f"parts/{n}.smk"] = (
        ('configfile: "config.yaml"\n' if rnd.random() < 0.2 else "")
        + 'KIND = config.get("kind", "none")\n'
        + maybe(rnd, 0.3, 'wildcard_constraints: x="[a-z]+"\n')
        + f'rule first:\n    input: "{n}/{{x}}.src"\n    output: {flagged(rnd, n + "/{x}.first")}\n'
        "    params: kind=KIND, p=%PARAM%\n    threads: 2\n    resources: mem_mb=30\n"
        "    shell:\n        r\"\"\"\n        echo '{rule} {wildcards}' >> $JOBS\n"
        "        (echo '{params} {threads} v%CODE%'; cat {input}) > {output}\n        \"\"\"\n"
        f'rule source:\n    output: "{n}/{{x}}.src"\n'
        "    shell: 'echo \"{rule} {wildcards}\" >> $JOBS; echo {wildcards.x} > {output}'\n"
        "def names(w):\n    return expand(rules.first.output, x=config.get('names', ['p', 'q']))\n"
        f'rule last:\n    input: {rnd.choice(["names", "lambda w: names(w)", "names, extra=rules.source.input"])}\n'
        f'    output: "{n}/last"\n'
        "    shell: 'echo \"{rule}\" >> $JOBS; cat {input} > {output}'\n"
        + maybe(rnd, 0.3, "rule whole:\n    input: rules.last.output\n    default_target: True\n")
    )
    if checkpoint:
        t.files[f"parts/{n}.smk"] += (
            f'checkpoint find:\n    output: directory("{n}/found")\n'
            "    shell: 'echo {rule} >> $JOBS; mkdir {output}; for i in 1 2; do echo $i > {output}/$i.txt; done'\n"
            "def found(w):\n    d = checkpoints.find.get().output[0]\n"
            "    return expand(d + '/{i}.txt', i=glob_wildcards(d + '/{i}.txt').i)\n"
            f'rule sum:\n    input: found\n    output: "{n}/sum"\n'
            "    shell: 'echo {rule} >> $JOBS; cat {input} > {output}'\n"
        )
    for one in "uv":
        config = rnd.choice(
            [
                f'config: {{"kind": "{one}%PARAM%", "names": ["p", "{one}"]}}',
                "config: config",
                f'config: {{**config, "kind": "{one}"}}',
                "",
            ]
        )
        place = rnd.choice([f'prefix: "{n}{one}"', f'prefix: "{n}{one}"', f'replace_prefix: {{"{n}/": "{n}{one}/"}}'])
        t.text += f'module {n}{one}:\n    snakefile: "parts/{n}.smk"\n    {place}\n' + f"    {config}\n" * bool(config)
        exclude = maybe(rnd, 0.25, "exclude first ")
        t.text += f"use rule * from {n}{one} {exclude}as {n}{one}_*\n"
        changes = [
            "params: kind='over%PARAM%'",
            "params: p=7",
            "threads: 1",
            "resources: mem_mb=lambda w, attempt: 5 * attempt, tok=1",
            'input: "in/one.txt"',
            "retries: 1",
            "priority: 2",
            'log: "%s/{x}.log"' % n,
        ]
        if exclude or rnd.random() < 0.6:
            chosen = {x.split(":")[0]: x for x in rnd.sample(changes, rnd.randint(1, 3))}
            t.text += f"use rule first from {n}{one} as {n}{one}_first with:\n"
            t.text += "".join(f"    {line}\n" for line in chosen.values())
        inside = f"{n}{one}/{n}" if "replace" not in place else f"{n}{one}"
        t.targets += [f'"{inside}/last"'] + [f'"{inside}/sum"'] * checkpoint


def environments(rnd, t):
    """Software that rules name, which nobody asks to deploy; it changes."""
    n = t.name
    t.files[f"envs/{n}.yaml"] = "channels: [conda-forge]\ndependencies: [zlib=1.%PARAM%]\n"
    forms = [
        f'conda: "envs/{n}.yaml"',
        f'conda: lambda w: "envs/{n}.yaml"',
        'container: "docker://debian:%PARAM%"',
        'container: None',
        'envmodules: "zlib/%PARAM%", "x/1"',
        'singularity: "docker://debian:1"',
    ]
    t.text += maybe(rnd, 0.2, 'container: "docker://debian:9"\n')
    last = "in/{s}.txt"
    for x in "ab":
        some = {form.split(":")[0]: form for form in rnd.sample(forms, rnd.randint(1, 2))}
        some.pop("container" if "singularity" in some else "", None)
        t.rule(n + x, "s", [f'input: "{last}"', "output: " + flagged(rnd, f"{n}/{{s}}.{x}"), *some.values()], COPY)
        last = f"{n}/{{s}}.{x}"
    t.targets.append(f'expand("{last}", s=S)')


def turning(rnd, t):
    """Rules that get another name, other flags, one more output or input, another log, or another kind of body."""
    n, t.late = t.name, True
    odd = rnd.choice(["%CODE% % 2", "%PARAM% % 2"])
    t.text += f"{n}_odd = bool({odd})\n"
    last = "in/{s}.txt"
    for x in "abc"[: rnd.randint(2, 3)]:
        path = f'"{n}/{{s}}.{x}"'
        output = rnd.choice(
            [
                path,
                f"temp({path}) if {n}_odd else {path}",
                f"protected({path}) if {n}_odd else {path}",
                f'*([{path}] if {n}_odd else [{path}, "{n}/{{s}}.{x}2"])',
                f'*([{path}] if {n}_odd else [{path}, temp("{n}/{{s}}.{x}2")])',
                f'o={path}, **({{}} if {n}_odd else {{"e": "{n}/{{s}}.{x}2"}})',
            ]
        )
        inputs = rnd.choice(
            [
                f'"{last}"',
                f'"{last}"',
                f'ancient("{last}") if {n}_odd else "{last}"',
                f'*(["{last}", "in/one.txt"] if {n}_odd else ["in/one.txt", "{last}"])',
                f'*(["{last}"] if {n}_odd else ["{last}", "in/extra.txt"])',
                f'i="{last}", j="in/one.txt" if {n}_odd else "in/extra.txt"',
                f'"{last}", lambda w: "in/one.txt" if {n}_odd else []',
            ]
        )
        log = f'log: "{n}/{{s}}.{x}.log" if {n}_odd else "{n}/other/{{s}}.{x}.log"'
        params = rnd.choice(
            [
                f'params: p="p" if {n}_odd else "q"',
                f'params: **({{"a": 1, "b": 2}} if {n}_odd else {{"b": 2, "a": 1}})',
                f'params: *([1, 2] if {n}_odd else [2, 1])',
                f"params: p=1 if {n}_odd else 1.0",
                f"params: p=True if {n}_odd else 1",
                f"params: p='1' if {n}_odd else 1",
                f"params: p=[1] if {n}_odd else (1,)",
                f"params: p={n}_odd, q=lambda w: {{'b': 1, 'a': {n}_odd}}",
                f"params: p=lambda w: {{1, 2}} if {n}_odd else {{2, 1}}",
                f"params: p=Path('x') if {n}_odd else 'x'",
                "",
                "",
                "",
            ]
        )
        name = rnd.choice([n + x] * 3 + [f"{n}{x}v%CODE%"])
        t.rule(
            name,
            "s",
            [f"input: {inputs}", f"output: {output}", maybe(rnd, 0.3, log), params,
             maybe(rnd, 0.15, f"threads: 1 if {n}_odd else 2"),
             maybe(rnd, 0.15, f'benchmark: "bench/{n}{{s}}{x}.tsv" if {n}_odd else "bench/{n}{{s}}-{x}.tsv"')],
            ["for f in {output}; do cat {input} > $f; done"],
            fails="" if "%" in name else "early late once",
        )
        last = f"{n}/{{s}}.{x}"
        if rnd.random() < 0.3:
            t.targets.append(f'expand("{last}", s=S) if {n}_odd else []')
    t.targets.append(f'expand("{last}", s=S)')


def helpers(rnd, t):
    """Functions in a module of Python and in the Snakefile that inputs, parameters and blocks use; they change."""
    n = t.name
    t.files[f"scripts/{n}_help.py"] = (
        "def paths(s):\n    return ['in/one.txt', 'in/extra.txt'][:1 + %CODE% % 2]\n\n\n"
        "def value(s, k=1):\n    return {'s': s, 'v': %PARAM% * k}\n\n\n"
        "def write(path, lines):\n    with open(path, 'w') as f:\n        f.writelines(f'{x}\\n' for x in lines)\n"
    )
    t.text += (
        f"import sys\nsys.path.insert(0, os.path.join(workflow.basedir, 'scripts'))\nimport {n}_help as {n}_h\n"
        f"from {n}_help import write as {n}_write\n"
        f"def {n}_params(w, input, output, threads, resources):\n"
        "    return f'{len(input)} {threads} ' + os.path.basename(output[0]) + 'v%CODE%'\n"
        f"def {n}_input(w):\n    # version %CODE%\n    return dict(i=f'in/{{w.s}}.txt', j={n}_h.paths(w.s))\n"
        f"def {n}_note(text):\n    with open(os.environ['JOBS'], 'a') as f:\n        print(text, file=f)\n"
    )
    t.text = "import os\n" + t.text
    params = rnd.sample(
        [
            f"a=lambda w: {n}_h.value(w.s)",
            f"b={n}_params",
            f"c={n}_h.value('x', k=2)['v']",
            f"d=lambda w, input: {n}_h.value(input.i, 3)",
        ],
        rnd.randint(1, 2),
    )
    t.bare(
        n + "a",
        [
            f"input: unpack({n}_input)",
            "output: " + flagged(rnd, n + "/{s}.a"),
            f"params: {', '.join(params)}",
            maybe(rnd, 0.3, "threads: 2"),
            maybe(rnd, 0.3, f'log: "{n}/{{s}}.log"'),
            f"run:\n        {n}_note(f'{{rule}} {{wildcards.s}}')\n"
            f"        lines = [str(v) for v in params] + [open(i).read() for i in input]\n"
            + maybe(rnd, 0.4, "        shell('cat {input} > /dev/null')\n")
            + maybe(rnd, 0.4, "        lines += shell('echo shell {wildcards.s}', iterable=True)\n")
            + f"        {n}_write(output[0], lines + ['v%CODE%'])",
        ],
    )
    t.rule(
        n + "b",
        "s",
        [f'input: lambda w: {n}_h.paths(w.s), "{n}/{{s}}.a"', f'output: "{n}/{{s}}.b"'],
        COPY,
    )
    t.targets.append(f'expand("{n}/{{s}}.b", s=S)')


def lists(rnd, t):
    """A checkpoint that writes a list, jobs for each of its lines, and those who gather them."""
    n, t.late = t.name, True
    t.rule(
        n + "a",
        "",
        ['input: "in/list.txt"', f'output: "{n}/list.tsv"' + maybe(rnd, 0.3, f', "{n}/more"'),
         maybe(rnd, 0.3, "params: %PARAM%")],
        ["(echo id; tr ' ' '\\n' < {input}) > {output[0]}", "for f in {output}; do [ -e $f ] || echo m > $f; done"],
        "checkpoint",
    )
    t.text += f"def {n}_ids():\n    with checkpoints.{n}a.get().output[0].open() as f:\n" \
              "        return [line.strip() for line in f][1:]\n" \
              f'def {n}_all(w):\n    return expand("{n}/{{i}}.{rnd.choice("bc")}", i={n}_ids())\n'
    t.rule(n + "b", "", [f'input: "in/one.txt"{maybe(rnd, 0.4, f", {chr(34)}{n}/list.tsv{chr(34)}")}',
                         "output: " + flagged(rnd, n + "/{i,[0-9]+}.b")], COPY + ["echo {wildcards.i} >> {output}"],
           fails="")
    t.rule(n + "c", "", [f'input: "{n}/{{i}}.b"', "output: " + flagged(rnd, n + "/{i,[0-9]+}.c")], COPY, fails="")
    t.rule(
        n + "d",
        "",
        [rnd.choice([f"input: {n}_all", f"input: x={n}_all, y='in/extra.txt'", f"input: lambda w: {n}_all(w)",
                     f"input: ancient({n}_all)", f"input: unpack(lambda w: {{'u': {n}_all(w)}})"]),
         f'output: "{n}/all.txt"', maybe(rnd, 0.3, "params: lambda w, input: len(input)")],
        COPY,
    )
    t.rule(n + "e", "", [f'input: "{n}/all.txt"', f'output: "{n}/end.txt"'], COPY)
    t.targets.append(f'"{n}/end.txt"')
    if rnd.random() < 0.3:
        t.targets.append(f"{n}_all")


def reading(rnd, t):
    """Parameters and resources that are read from the inputs of a job."""
    n = t.name
    forms = [
        "a=parse_input(input[0], parser=lambda f: f.read().strip())",
        "c=lambda w, input: open(input[0]).readline().strip()",
        "d=lambda w, input: os.path.getsize(input[0])",
        "e=lambda w, input: [line for line in open(input[0])]",
        "f=parse_input(input[1], parser=lambda f, k: f.read(k), k=2)",
        "g=lambda w, input: Path(input[0]).read_text().split()",
        "h=subpath(input[0], basename=True)",
        "i=subpath(input[0], ancestor=1)",
    ]
    t.text += "import os\nfrom pathlib import Path\n"
    t.rule(n + "a", "s", ['input: "in/{s}.txt"', "output: " + flagged(rnd, n + "/{s}.a")], COPY)
    t.rule(
        n + "b",
        "s",
        [
            f'input: "{n}/{{s}}.a", "in/one.txt"',
            f'output: "{n}/{{s}}.b"',
            f"params: {', '.join(rnd.sample(forms, rnd.randint(1, 3)))}",
            maybe(rnd, 0.4, "resources: tok=lambda w, input: len(open(input[0]).read())"),
            maybe(rnd, 0.3, "threads: lambda w, input: 1 + os.path.exists(input[0])"),
        ],
        ['echo "{params}" > {output}'],
    )
    t.targets.append(f'expand("{n}/{{s}}.b", s=S)')


CHANGE_TOPICS = {
    f.__name__: f for f in (nested, sheets, twins, environments, turning, helpers, lists, reading)
}
