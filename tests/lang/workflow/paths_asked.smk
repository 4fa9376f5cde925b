# What paths say of themselves: flagged ones, and those that rules show.
import copy

from snakemake.io import is_flagged

d = temp(directory("a/{x}"))
print(d.flags, d.is_flagged("temp"), d.is_flagged("pipe"))  # expect: {'directory': True, 'temp': True} True False
d.flags["mine"] = 0
print(is_flagged(d, "mine"), d.is_flagged("mine"), "mine" in d.flags)  # expect: False False True
print(is_flagged("plain", "temp"))  # expect: False
again = copy.deepcopy([d])[0]
again.flags["other"] = True
print(again.is_flagged("temp"), "other" in d.flags, copy.copy(again).is_flagged("other"))  # expect: True False True
print(type(d)("x").flags, type(d)("x").is_flagged("temp"))  # expect: {} False


rule a:
    output:
        temp("a.{x}.{y}"),
        log="a.{x}.{y,[0-9]+}.log",
    shell:
        "touch {output}"


path = rules.a.output.log
print(type(path).__name__, path.flags, path.is_flagged("temp"))  # expect: _IOFile {} False
filled = path.apply_wildcards({"x": "1", "y": 2})
print(filled, type(filled).__name__, filled.contains_wildcard())  # expect: a.1.2.log _IOFile False
print(path.contains_wildcard(), sorted(path.get_wildcard_names()))  # expect: True ['x', 'y']
try:
    path.apply_wildcards({"x": "1"})
except Exception as e:
    print(type(e).__name__)  # expect: WildcardError


rule b:
    input:
        lambda wildcards: rules.a.output.log.apply_wildcards(dict(wildcards, y="7")),
    output:
        "b.{x}",
    shell:
        "touch {output}"


rule all:
    default_target: True
    input:
        "b.3",
# args: -n -c1
# expect: input: a.3.7.log
