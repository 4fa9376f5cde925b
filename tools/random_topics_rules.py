# SPDX-License-Identifier: MIT
"""More topics of random workflows: which rule makes a file, from what, under which names, and what becomes of it."""

from random_topic import COPY, flagged, maybe


def constraints(rnd, t):
    """Wildcards that could be split in several ways, constrained in the Snakefile, in the rule, in the path."""
    n = t.name
    where = rnd.choice(["workflow", "rule", "path", "path", "rule over workflow", "none"])
    if "workflow" in where:
        t.text += f'wildcard_constraints: {n}k="{rnd.choice(["[0-9]+", "[a-z]+-1"])}"\n'
    inline = ",[0-9]+" if where == "path" else ""
    t.rule(
        n + "a",
        "",
        [
            f'output: "{n}/{{s}}-{{{n}k{inline}}}.txt", ' + flagged(rnd, f"{n}/{{s}}-{{{n}k{inline}}}.more"),
            f'wildcard_constraints: {n}k="[0-9]+"' if "rule" in where else "",
        ],
        ["for f in {output}; do echo {wildcards} > $f; done"],
        fails="",
    )
    if rnd.random() < 0.5:
        t.rule(n + "b", "", [f'output: "{n}/{{s}}-x-{{{n}k}}.txt"'], ["echo b {wildcards} > {output}"], fails="")
        t.text += f"ruleorder: {' > '.join(rnd.sample([n + 'a', n + 'b'], 2))}\n"
    t.targets += [f'expand("{n}/{{s}}-{{k}}.txt", s=S, k=[1, 23])', f'"{n}/p-x-7.txt"', f'"{n}/q.1-2-3.txt"']


def orders(rnd, t):
    """Three rules that make the same files; some cannot."""
    n = t.name
    names = [n + x for x in "abc"]
    for name in names:
        path = rnd.choice([f"{n}/{{s}}.txt", f"{n}/{{s}}.txt", f"{n}/{{x}}.{{y}}"])
        wild = "x" if "{x}" in path else "s"
        t.rule(
            name,
            "",
            [
                "input: " + rnd.choice(['"in/one.txt"', f'"in/{{{wild}}}.txt"', f'"nowhere/{{{wild}}}.txt"']),
                f'output: "{path}"',
            ],
            [f"echo {name} {{wildcards}} > {{output}}"],
            fails="",
        )
    for _ in range(rnd.choice([0, 1, 2])):
        t.text += f"ruleorder: {' > '.join(rnd.sample(names, rnd.choice([2, 3])))}\n"
    if rnd.random() < 0.5:
        t.text += f"ruleorder: {' > '.join(names)}\n"
    t.targets.append(f'expand("{n}/{{s}}.txt", s=S)')


def heirs(rnd, t):
    """Rules made from others, and from those."""
    n = t.name
    t.rule(
        n + "a",
        "s",
        [
            'input: "in/{s}.txt", x="in/one.txt"',
            f'output: "{n}/{{s}}.a", o=' + flagged(rnd, n + "/{s}.ao"),
            'params: "p%PARAM%", k="a", f=lambda w, output: len(output)',
            maybe(rnd, 0.4, "threads: 2"),
            maybe(rnd, 0.4, "resources: mem_mb=lambda w, attempt: 10 * attempt, tok=1"),
            maybe(rnd, 0.4, f'log: "{n}/{{s}}.a.log"'),
            maybe(rnd, 0.3, "priority: 3"),
            maybe(rnd, 0.3, 'wildcard_constraints: s="[^_]+"'),
        ],
        ["for f in {output}; do echo {params} {threads} > $f; cat {input} >> $f; done"],
    )
    changes = [
        f'input: "{n}/{{s}}.a", x=rules.{n}a.output.o',
        'input: x="in/extra.txt"',
        'params: k="b"',
        'params: "q", g=lambda w, input: len(input)',
        "threads: 1",
        "resources: mem_mb=7",
        'message: "made {output}"',
        "priority: 1",
        'wildcard_constraints: s=".*[a-z0-9]"',
        "retries: 1",
        f'group: "{n}g"',
        "localrule: True",
    ]
    base = n + "a"
    for x in "bc"[: rnd.choice([1, 2, 2])]:
        chosen = {line.split(":")[0]: line for line in rnd.sample(changes, rnd.randint(1, 4))}
        log = f'log: "{n}/{{s}}.{x}.log"'  # or both would write the same
        lines = [f'output: "{n}/{{s}}.{x}", o="{n}/{{s}}.{x}o"', log, *chosen.values()]
        t.text += f"use rule {base} as {n}{x} with:\n" + "".join(f"    {line}\n" for line in lines)
        t.targets.append(f'expand("{n}/{{s}}.{x}", s=S)')
        base = rnd.choice([base, n + x])


def attempts(rnd, t):
    """Threads and resources from inputs, their sizes, other resources and the attempt."""
    n = t.name
    forms = [
        "mem_mb=lambda w, input: input.size + 7",
        "mem_mb=lambda wc, input, attempt: max(1, int(input.size_mb)) * attempt",
        "mem_mb=lambda w, input: sum(input.size_files)",
        "mem_mb=lambda w, attempt, threads: 10 * attempt + threads",
        "disk_mb=lambda w, input: len(input) * 3",
        'part=lambda w, attempt: "long" if attempt > 1 else "short"',
        "runtime=lambda w, attempt: f'{attempt}h'",
        "foo=lambda w, rulename: rulename",
        "foo=lambda w, input: input[0]",
        "foo=lambda w: len(w)",
        "foo=lambda w, **k: sorted(k)[0]",
    ]
    some = {form.split("=")[0]: form for form in rnd.sample(forms, rnd.randint(1, 4))}
    names = " ".join("{resources.%s}" % name for name in some)
    t.rule(
        n + "a",
        "s",
        [
            'input: "in/{s}.txt", z="in/one.txt"',
            "output: " + flagged(rnd, n + "/{s}.a"),
            "threads: " + rnd.choice(["1", "lambda w, attempt: attempt", "lambda w, input: len(input)", "9"]),
            f"resources: {', '.join(some.values())}",
            rnd.choice(["", "retries: 1", "retries: 2"]),
        ],
        [f"echo {names} {{threads}} > {{output}}"],
    )
    t.rule(
        n + "b",
        "s",
        [
            f'input: "{n}/{{s}}.a"',
            f'output: "{n}/{{s}}.b"',
            maybe(rnd, 0.5, "resources: mem_mb=lambda w, input: int(input.size_mb * 100) + 5"),
            maybe(rnd, 0.4, "params: m=lambda w, resources: resources.get('part', 'none')"),
        ],
        COPY,
    )
    t.targets.append(f'expand("{n}/{{s}}.b", s=S)')


def lasting(rnd, t):
    """A chain of files that stay or not: temporary, protected, touched, ancient ones."""
    n, last = t.name, "in/{s}.txt"
    for x in "abcd"[: rnd.randint(2, 4)]:
        kind = rnd.choice(["%s", "%s", "temp(%s)", "temp(%s)", "protected(%s)", "touch(%s)", "temp(touch(%s))"])
        item = f'"{last}"' if rnd.random() < 0.8 else f'ancient("{last}")'
        more = maybe(rnd, 0.3, ", " + rnd.choice(["%s", "temp(%s)", "protected(%s)"]) % f'"{n}/{{s}}.{x}2"')
        t.rule(
            n + x,
            "s",
            [
                f"input: {item}" + maybe(rnd, 0.3, ', "in/one.txt"'),
                "output: " + kind % f'"{n}/{{s}}.{x}"' + more,
                maybe(rnd, 0.3, "params: %PARAM%"),
            ],
            ["for f in {output}; do cat {input} > $f; done"],
        )
        last = f"{n}/{{s}}.{x}"
        if rnd.random() < 0.2:
            t.targets.append(f'expand("{last}", s=S)')
    t.targets.append(f'expand("{last}", s=S)')


def side_files(rnd, t):
    """Logs and benchmarks that others read."""
    n = t.name
    t.rule(
        n + "a",
        "s",
        [
            'input: "in/{s}.txt"',
            f'output: "{n}/{{s}}.a"',
            f'log: "{n}/{{s}}.log", e="{n}/{{s}}.err"',
            maybe(rnd, 0.4, f'benchmark: "bench/{n}{{s}}.tsv"'),
        ],
        ["cat {input} > {output}; echo logged > {log[0]}"],
    )
    item = rnd.choice([f'"{n}/{{s}}.log"', f"rules.{n}a.log[0]", f"rules.{n}a.log", f"rules.{n}a.log.e"])
    t.rule(n + "b", "s", [f"input: {item}", f'output: "{n}/{{s}}.b"'], COPY)
    t.targets.append(f'expand("{n}/{{s}}.b", s=S)')
    if rnd.random() < 0.3:
        t.targets.append(f'expand("{n}/{{s}}.log", s=S)')


def odd_paths(rnd, t):
    """Names that shells and patterns take for something else."""
    n = t.name
    name = rnd.choice(["a b", "q'q", "x$y", "ä-ö", "a;b", "(p)", "a+b", "c#d", "p|q", "e^f", "t~u", "*", "a&b", "a,b"])
    form = rnd.choice(["./%s", "%s", "%s"])
    t.rule(
        n + "a",
        "",
        ['input: "in/one.txt"', f'output: "{form % n}/{{x}}.a"', maybe(rnd, 0.3, f'log: "{n}/{{x}}.log"')],
        ["cat {input} > {output:q}; echo {wildcards.x:q} >> {output:q}"],
        fails="",
    )
    t.rule(n + "b", "", [f'input: "{n}/{{x}}.a"', f'output: "{n}/{{x}}.b"'], ["cat {input:q} > {output:q}"], fails="")
    t.targets.append(f'"{n}/{name}.b"')


def sources_of_names(rnd, t):
    """Inputs named by functions that read files, look up tables, branch and collect."""
    n = t.name
    t.files[f"{n}.json"] = '{"a": ["in/one.txt"], "b": [], "rest": {"x": "in/extra.txt"}}\n'
    t.text += f'import json\nwith open("{n}.json") as f:\n    {n}_map = json.load(f)\n'
    forms = [
        f'lambda w: {n}_map.get(w.s, "in/one.txt")',
        f'lookup("rest/x", within={n}_map)',
        f'lookup("{{s}}", within={n}_map, default="in/one.txt")',
        f'branch(lookup("{{s}}", within={n}_map, default=None), then="in/{{s}}.txt", otherwise="in/one.txt")',
        'branch(exists("in/g3.glob"), then="in/g3.glob", otherwise="in/g1.glob")',
        'collect("in/{x}.txt", x=lambda w: [w.s, "one"])',
        "branch(evaluate(\"{s} == 'a'\"), then=collect('in/{n}-{s}.dat', n=N, allow_missing=True), otherwise=[])",
        'unpack(lambda w: {"u": f"in/{w.s}.txt", "v": ["in/one.txt", "in/extra.txt"]})',
        'lambda w: Path("in") / "one.txt"',
        'lambda w: [Path("in/one.txt"), f"in/{w.s}.txt"]',
        "lambda w: (f for f in ('in/one.txt', 'in/extra.txt') if w.s)",
        'lambda w: "in/{s}.txt"',
        'expand("in/{{s}}.txt")',
        'expand("in/{x}.txt", zip, x=["one", "extra"], y=[1, 2])',
        'flatten([["in/one.txt"], ["in/extra.txt"]])',
        'subpath("in/one.txt.gz", strip_suffix=".gz")',
        'lambda w: subpath(f"in/{w.s}.txt.gz", strip_suffix=".gz")',
    ]
    items = rnd.sample(forms, rnd.randint(1, 3))
    items = sorted(item if "unpack" in item or rnd.random() < 0.7 else f"i{k}={item}" for k, item in enumerate(items))
    items.sort(key=lambda item: item[0] == "i" and item[1].isdigit())
    t.rule(
        n + "a",
        "s",
        [f"input: {', '.join(items)}", f'output: "{n}/{{s}}.a"', "params: i=lambda w, input: dict(input.items())"],
        ['echo "{input} {params}" > {output}'],
    )
    t.targets.append(f'expand("{n}/{{s}}.a", s=S)')


def folders(rnd, t):
    """Directories, and files that lie in them."""
    n, flag = t.name, rnd.choice(["directory(%s)", "directory(%s)", "temp(directory(%s))"])
    t.rule(
        n + "a",
        "s",
        ['input: "in/{s}.txt"', "output: " + flag % f'"{n}/{{s}}.d"' + maybe(rnd, 0.4, f', "{n}/{{s}}.beside"')],
        ["mkdir -p {output[0]}/sub; cat {input} > {output[0]}/f; cp {output[0]}/f {output[0]}/sub/g",
         "for f in {output}; do [ -e $f ] || echo b > $f; done"],
    )
    item = rnd.choice([f'"{n}/{{s}}.d"', f"rules.{n}a.output[0]", f'ancient("{n}/{{s}}.d")'])
    t.rule(n + "b", "s", [f"input: {item}", "output: " + flagged(rnd, n + "/{s}.b")], ["cat {input}/sub/g > {output}"])
    t.rule(n + "c", "s", [f'input: "{n}/{{s}}.b"', f'output: "{n}/{{s}}.c"'], COPY)
    t.targets.append(f'expand("{n}/{{s}}.c", s=S)')


RULE_TOPICS = {
    f.__name__: f
    for f in (
        constraints,
        orders,
        heirs,
        attempts,
        lasting,
        side_files,
        odd_paths,
        sources_of_names,
        folders,
    )
}
