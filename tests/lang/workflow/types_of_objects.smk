# The classes of the engine's objects can be shown, compared and called.
import copy
import os

from snakemake.iocontainers import Namedlist, Wildcards
from snakemake.io import get_wildcard_names
from snakemake.utils import listfiles, makedirs

w = Wildcards(fromdict={"sample": "a", "unit": 1})
print(w.sample, w["unit"], w[1], list(w), dict(w.items()), w.get("no", 2))  # expect: a 1 1 ['a', 1] {'sample': 'a', 'unit': 1} 2
print(Namedlist(w).unit, Namedlist([1, 2])[0], len(Namedlist()), type(w).__name__)  # expect: 1 1 0 Wildcards
makedirs(["made/1", "made/2"])
makedirs("made/1")
print([(path, found.n) for path, found in sorted(listfiles("made/{n}"))])  # expect: [('made/1', '1'), ('made/2', '2')]
print(get_wildcard_names("{a}_{b,x+}") - get_wildcard_names("{b}"))  # expect: {'a'}
print(glob_wildcards("none/{n}.txt"))  # expect: Wildcards(n=[])
again = copy.deepcopy(w)
print(again.sample, again == w, copy.copy(w).unit, type(copy.copy(w)).__name__)  # expect: a True 1 Wildcards
for thing in rules, checkpoints, workflow, storage, access, shell, scatter, expand, temp("x"), branch:
    assert repr(type(thing)).startswith("<class "), thing
    assert {type(thing): 1}[type(thing)] == 1


def inputs(wildcards):
    print(type(wildcards).__name__, isinstance(wildcards, list), isinstance(wildcards, type(w)))
    return []


rule a:
    input:
        inputs,
    output:
        "a.{x}",
    params:
        kind=lambda wildcards, input: type(input).__name__,
    shell:
        "touch {output}"


print(type(rules.a.output).__name__, type(rules.a.output[0]) == type(rules.a.output[0]))  # expect: True


rule all:
    default_target: True
    input:
        "a.1",
# expect: Wildcards True True
