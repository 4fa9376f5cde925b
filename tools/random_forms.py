# SPDX-License-Identifier: MIT
"""How random workflows name an input or a parameter: one of the many ways that Snakefiles know."""
import re

HELPERS = """\
T = {"n": {"1": "one", "2": "two"}, "v": config["val"]}
G = sorted(glob_wildcards("in/{g}.glob").g)
def first(items):
    return items[0] if isinstance(items, list) else items
"""


def input_forms(p, path, ref, rule, more, samples):
    """Items that take PATH, the files of product P, in RULE, over all values of the wildcards MORE; REF names them."""
    over = ", ".join(f"{w}={w.upper()}" for w in more)
    if more:
        kept = [f"{w}=w.{w}" for w in p.wild if w not in more]
        called = ", ".join(f"{w}=lambda w: {w.upper()}" for w in more)
        forms = [f'expand("{path}", {over}, allow_missing=True)',
                 f'collect({ref or repr(path)}, {over}, allow_missing=True)',
                 'lambda w: expand("{}", {})'.format(path, ", ".join([over, *kept])),
                 f'expand("{path}", {called}, allow_missing=True)',
                 'expand(["{0}", "{0}"], {1}, allow_missing=True)'.format(path, over)]
        if len(more) == 1 and more == list(p.wild):
            forms.append('[x for x in ["{}".format({}=v) for v in {}]]'.format(path, more[0], more[0].upper()))
            forms.append('*("{}".format({}=v) for v in {})'.format(path, more[0], more[0].upper()))
        return forms
    forms = [f'"{path}"'] * 6 + [ref or f'"{path}"'] * 3
    if p.kind == "pipe":
        return forms
    named = f"u{len(rule.inputs)}"
    forms += [f'lambda w: "{path}".format(**w)',
              f'lambda wildcards: expand("{path}", **wildcards)[0]',
              f'branch(True, then="{path}", otherwise="none")',
              f'branch(exists("in/one.txt"), then="{path}", otherwise="none")',
              f'branch(lambda w: True, then=lambda w: "{path}".format(**w), otherwise="none")',
              f'unpack(lambda w: dict({named}="{path}".format(**w)))',
              f'unpack(lambda w: {{"{named}": ["{path}".format(**w)]}})',
              f'lambda w: "{path}".format(**w) if open("in/one.txt").read() else "none"',
              f'lambda w: (x for x in ["{path}"])',
              f'lambda w: lambda v: "{path}"',
              f'lambda w: ancient("{path}".format(**w))',
              f'lambda w: [ancient(p) for p in ["{path}".format(**w)]]',
              f'first(["{path}"])',
              f'[["{path}"]]',
              f'*["{path}"]',
              f'subpath("{path}.gz", strip_suffix=".gz")',
              'lambda w: [f"%s"]' % re.sub("{(.)}", r"{w.\1}", path)]
    forms += [f"lambda w: expand({ref}, **w)"] * bool(ref)
    if path == "in/one.txt":
        forms += ['expand("in/{g}.glob", g=G)', "[*expand('in/{g}.glob', g=G)]"] * 2
    if "s" in rule.wild:
        forms += [f'branch(evaluate("{{s}} == {samples[0]!r}"), then="{path}", otherwise="in/one.txt")',
                  f'lambda w: {{v: "{path}" for v in {samples[:1]}}}.get(w.s, "in/one.txt")']
    if "n" in rule.wild:
        forms += [f'branch(lookup("n/{{n}}", within=T), cases={{"one": "{path}", "two": "in/one.txt"}})']
    if ref and not p.wild:
        forms += [f"subpath({ref}, strip_suffix='xt') + 'xt'" if path.endswith("xt") else ref]
    return forms


def params_forms(rnd, rule, names):
    """Some parameters; %PARAM% changes between runs."""
    chosen = []
    for p, items in ((0.4, ['"v%PARAM%"']), (0.1, [f'"w{names}"']),
                     (0.1, ['k=lambda w: "f%PARAM%" + "".join(w)']), (0.1, ['c=config["val"]']),
                     (0.06, ["d={'a': %PARAM%, 'b': [1, 'x']}"]), (0.05, ["t=lambda w, threads: threads"]),
                     (0.04, ["i=lambda w, input: len(input)"]), (0.04, ["l=[1, %PARAM%]"]),
                     (0.03, ["o=lambda w, output: output[0]"]), (0.03, ["op=output[0]"]),
                     (0.03, ["od=subpath(output[0], parent=True)"]), (0.03, ["th=threads"]),
                     (0.03, ['rs=lambda w, resources: resources.get("mem_mb", %PARAM%)']),
                     (0.03, ['lu=lookup("v", within=T)']), (0.03, ["no=None", "tr=True", "fl=0.1"]),
                     (0.03, ['pa=Path("x/y")', 'tu=(1, "z%PARAM%")']),
                     (0.03, [f'li=["{names}", %PARAM%]']), (0.03, ["di=lambda w: {'a': [%PARAM%], 'w': list(w)}"]),
                     (0.03, [f'ex=expand("{names}-{{m}}", m=N, allow_missing=True)']),
                     (0.03, ["wc=lambda wildcards: dict(wildcards)"]),
                     (0.03, ["at=lambda w, attempt=3: attempt"]), (0.03, ['*["p1", %PARAM%]'])):
        if rnd.random() < p:
            chosen += items
    if rule.inputs and rnd.random() < 0.05:
        chosen += rnd.choice([["ib=subpath(input[0], basename=True)"], ["ii=input[0]"],
                              ["ij=lambda w, input: input[0] + 'x'"]])
    if "s" in rule.wild and rnd.random() < 0.04:
        chosen += [rnd.choice(['ev=evaluate("{s}")',
                               'br=branch(evaluate("{s} == \'a\'"), then="A%PARAM%", otherwise="B")'])]
    if rule.loop and rnd.random() < 0.5:
        chosen += [rnd.choice(["z=lambda w: K", "z=lambda w, k=K: k", "z=K"])]
    return sorted(chosen, key=lambda item: bool(re.match(r"\w+=", item)))
