# SPDX-License-Identifier: MIT
"""Mistakes for random workflows: lines that make a workflow wrong, and a target that comes upon them."""
import re

SHELL = 'shell: "echo > {output}"'


def made(name, output, more=""):
    return f'rule {name}:\n    output: {output}\n    {more}{SHELL}\n'


def given(name, inputs, output='"mist"', more=""):
    return f'rule {name}:\n    input: {inputs}\n    output: {output}\n    {more}{SHELL}\n'


MISTAKES = [
    # cycles
    (given("e0", '"e1"', '"e0"') + given("e1", '"e0"', '"e1"'), "e0"),
    (given("e0", '"e2"', '"e0"') + given("e1", '"e0"', '"e1"') + given("e2", '"e1"', '"e2"'), "e1"),
    (given("e0", '"mist"'), "mist"), (given("e0", '"{a}.x"', '"{a}.x"'), "q.x"),
    # what no rule makes
    (given("e0", '"absent"'), "mist"),
    (given("e0", '"absent", "in/one.txt"') + given("e1", '"mist"', '"mist2"'), "mist2"), ("", "absent"),
    ("", "nosuchrule"), (made("e0", '"e/{a}.txt"'), "e0"), (given("e0", '"x/{a}"', '"e/{a}.txt"'), "e/q.txt"),
    (given("e0", '"in/one.txt", lambda w: "absent-" + w.a', '"e/{a}.txt"'), "e/q.txt"),
    (given("e0", "directory('nope')"), "mist"),
    # several that make it
    (made("e0", '"e/{a}.txt"') + made("e1", '"e/x{b}.txt"'), "e/xy.txt"),
    (made("e0", '"mist"') + made("e1", '"mist"'), "mist"),
    (made("e0", '"e/{a}.txt"') + made("e1", '"e/{b}.txt"') + "ruleorder: e1 > e0\n", "e/xy.txt"),
    (made("e0", '"e/{a}.txt"') + made("e1", '"e/x{b}.txt"') + "ruleorder: e1 > e0 > e1\n", "e/xy.txt"),
    (made("e0", '"e/{a}.txt"') + made("e1", '"e/x{b}.txt"') + 'ruleorder: e1 > nosuch\n', "e/xy.txt"),
    (made("e0", '"mist"') + made("e0", '"mist2"'), "mist"), (made("e0", '"mist", "mist"'), "mist"),
    # wildcards
    (given("e0", '"in/{b}.txt"', '"e/{a}.txt"'), "e/q.txt"), (made("e0", '"e/{a}.txt", "mist"'), "mist"),
    (made("e0", '"e/{a}.txt"', 'log: "l/{b}.log"\n    '), "e/q.txt"),
    (made("e0", '"e/{a}.txt", "f/{a}.{b}"'), "e/q.txt"),
    (made("e0", '"e/{a}.txt"', 'params: x="{b}"\n    '), "e/q.txt"), (made("e0", '"e/{a"'), "e/q"),
    (made("e0", '"e/{}.txt"'), "e/q"), (made("e0", '"e/{a}.txt"', 'wildcard_constraints: a="[0-9"\n    '), "e/q.txt"),
    (made("e0", '"e/{a,[}.txt"'), "e/q.txt"),
    (made("e0", '"e/{a}.txt"', 'benchmark: "b/{a}-{c}.tsv"\n    '), "e/q.txt"),
    (made("e0", 'expand("e/{a}.txt")'), "e/q.txt"), (given("e0", 'expand("in/{s}.txt", t=S)'), "mist"),
    (made("e0", '"e/{a}/{a,[0-9]+}.txt"'), "e/1/1.txt"), (made("e0", '"e/{a,[0-9]}/{a,[a-z]}.txt"'), "e/1/1.txt"),
    # functions that fail
    (given("e0", "lambda w: 1 / 0"), "mist"), (given("e0", "lambda w: nosuch"), "mist"),
    (given("e0", "lambda w: w.nosuch"), "mist"), (given("e0", "lambda w: [1, 2]"), "mist"),
    (given("e0", "lambda w: None"), "mist"), (given("e0", 'lambda w: {"a": "in/one.txt"}'), "mist"),
    (given("e0", 'unpack(lambda w: ["in/one.txt"])'), "mist"), (given("e0", "lambda: 'in/one.txt'"), "mist"),
    (given("e0", "lambda w, nosuch: 'in/one.txt'"), "mist"),
    (made("e0", '"mist"', "params: x=lambda w: 1 / 0\n    "), "mist"),
    (made("e0", '"mist"', "resources: mem_mb=lambda w: 1 / 0\n    "), "mist"),
    (made("e0", '"mist"', 'threads: lambda w: "x"\n    '), "mist"),
    (made("e0", '"mist"', "threads: lambda w: nosuch\n    "), "mist"),
    (given("e0", 'lambda w: open("absent").read()'), "mist"), (given("e0", 'lookup("nosuch", within=config)'), "mist"),
    (given("e0", 'branch(lambda w: w.q, then="a", otherwise="b")'), "mist"),
    (given("e0", 'lambda w: checkpoints.nosuch.get().output[0]'), "mist"), (given("e0", "5"), "mist"),
    (given("e0", '""'), "mist"), (made("e0", '"mist"', "priority: lambda w: 1 / 0\n    "), "mist"),
    # values of the wrong kind
    (made("e0", '"mist"', 'threads: "two"\n    '), "mist"), (made("e0", '"mist"', "threads: 1, 2\n    "), "mist"),
    (made("e0", '"mist"', 'priority: "high"\n    '), "mist"), (made("e0", '"mist"', "retries: -1\n    "), "mist"),
    (made("e0", '"mist"', 'retries: "x"\n    '), "mist"), (made("e0", '"mist"', 'shadow: "nosuch"\n    '), "mist"),
    (made("e0", '"mist"', "resources: 5\n    "), "mist"),
    (made("e0", '"mist"', 'resources: runtime="soon"\n    '), "mist"),
    (made("e0", '"mist"', "resources: mem_mb=[1]\n    "), "mist"), (made("e0", '"mist"', 'log: 5\n    '), "mist"),
    (made("e0", "5"), "mist"), (made("e0", "None"), "mist"), (made("e0", "[]"), "mist"),
    (made("e0", 'lambda w: "mist"'), "mist"), (made("e0", 'temp(protected("mist"))'), "mist"),
    (made("e0", 'ancient("mist")'), "mist"), (given("e0", 'temp("in/one.txt")'), "mist"),
    (given("e0", 'protected("in/one.txt")'), "mist"), (given("e0", 'touch("in/one.txt")'), "mist"),
    (given("e0", 'pipe("in/one.txt")'), "mist"), (made("e0", 'ensure("mist", nosuch=1)'), "mist"),
    (made("e0", 'pipe(temp("mist"))'), "mist"), (made("e0", 'update(temp("mist"))'), "mist"),
    (made("e0", 'multiext("mist")'), "mist"), (made("e0", 'multiext("mist", "/x")'), "mist"),
    (made("e0", '**{"a": "mist"}'), "mist"), (made("e0", 'a="mist", a="mist2"'), "mist"),
    (made("e0", 'a="mist", "mist2"'), "mist"), (made("e0", 'keys="mist"'), "mist"),
    (made("e0", '"mist"', 'localrule: "x"\n    '), "mist"), (made("e0", '"mist"', 'cache: "x"\n    '), "mist"),
    (made("e0", '"mist"', "default_target: 1\n    "), "mist"), (made("e0", '"mist"', 'envmodules: 5\n    '), "mist"),
    (made("e0", 'service("mist"), "mist2"'), "mist"), (made("e0", 'pipe("mist"), pipe("mist2")'), "mist"),
    # what is not there
    ('include: "absent.smk"\n', "all"), ('configfile: "absent.yaml"\n', "all"), ("x = nosuch\n", "all"),
    ('x = config["nosuch"]\n', "all"), ("import nosuchmodule\n", "all"), ("localrules: nosuch\n", "all"),
    ('envvars: "NOSUCH_VARIABLE"\n', "all"),
    ('module mm:\n    snakefile: "absent.smk"\nuse rule * from mm as mm_*\n', "all"),
    ("use rule nosuch as e0 with:\n    input: []\n", "all"), ("use rule * from nosuch\n", "all"),
    (given("e0", "rules.nosuch.output"), "mist"), (given("e0", "rules.all.nosuch"), "mist"),
    (made("e0", '"mist"') + given("e1", "rules.e0.output.nosuch", '"mist2"'), "mist2"),
    (made("e0", '"mist"') + given("e1", "rules.e0.output[3]", '"mist2"'), "mist2"), ('x = workflow.nosuch\n', "all"),
    (made("e0", '"mist"').replace("echo >", "echo {nosuch} >"), "mist"),
    (made("e0", '"mist"').replace("echo >", "echo {params.n} >"), "mist"),
    (made("e0", '"mist"').replace("echo >", "echo {input[4]} >"), "mist"),
    (made("e0", '"mist"').replace("echo >", "echo {wildcards.n} >"), "mist"),
    (made("e0", '"mist"').replace("shell:", "script:"), "mist"),
    (made("e0", '"mist"').replace("shell:", "nosuch:"), "mist"),
    (made("e0", '"mist"').replace("echo >", "echo {resources.n} >"), "mist"),
    (made("e0", '"mist"').replace("echo >", "echo {config[nosuch]} >"), "mist"),
    # syntax
    ("rule e0\n", "all"), ("rule e0:\n", "all"), ("rule:\n    output: \"mist\"\n", "mist"),
    ("rule e0:\n  output:\n", "mist"), ("x = (1,\n", "all"), ("if True:\nx = 1\n", "all"),
    ("rule 5:\n    output: 'mist'\n", "all"), ("def f(:\n    pass\n", "all"), ("x = 'a\n", "all"),
    ("return 1\n", "all"), ('rule e0:\n    output: "mist"\n   shell: "x"\n', "all"),
    ('rule e0:\n    output "mist"\n', "all"), ("rule e0: pass\n", "all"),
    (made("e0", '"mist"') + '    input: "in/one.txt"\n', "mist"),
    (made("e0", '"mist"') + '    shell: "true"\n', "mist"), (made("e0", '"mist" "2"'), "mist2"),
    (made("e0", '"mist",, "x"'), "mist"), ("ruleorder: e0\n", "all"), ("ruleorder: e0 < e1\n", "all"),
    ("onstart: x = nosuch\n", "all"), ("workdir: nosuch\n", "all"), ('scattergather: a="x"\n', "all"),
    ("x = f'{'\n", "all"), ('raise ValueError("told")\n', "all"), ("import sys; sys.exit(3)\n", "all"),
    ("assert False\n", "all"),
    ('from snakemake.exceptions import WorkflowError\nraise WorkflowError("told")\n', "all"),
    ('from snakemake.utils import min_version\nmin_version("99.0")\n', "all"),
    ('from snakemake.utils import validate\nvalidate(config, "absent.yaml")\n', "all"), ("exit(2)\n", "all"),
    ("raise SystemExit\n", "all"), ("1 / 0\n", "all"), ("[][0]\n", "all"), ("config.nosuch\n", "all"),
    ("del nosuch\n", "all")]
# What one of the two says for the class that the other names: it is about the place, or a crash.
WRAPPERS = {"InputFunctionException", "RuleException", "WorkflowError", "IOFileException", "TokenError", "KeyError",
            "TypeError", "ResourceConstraintError"}
# Snakemake's own words of what is wrong. Python's kinds of syntax errors count as one.
KINDS = re.compile(r"(?m)^\s*(?:snakemake\.exceptions\.)?(\w+(?:Error|Exception))\b")


def kind_of_error(text):
    """The first class of an error that the text of a run names."""
    found = KINDS.search(text)
    kind = found[1] if found else ""
    return "SyntaxError" if kind in ("IndentationError", "TabError") else kind
