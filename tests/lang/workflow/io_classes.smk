# Classes of snakemake.io that Snakefiles import: for isinstance(), annotations and paths as rules show them.
from snakemake.io import AnnotatedString, IOFile, _IOFile
from snakemake.iocontainers import Namedlist as the_same, ResourceList, Wildcards
from snakemake.utils import Namedlist


def stem(w: Wildcards, input: Namedlist, resources: ResourceList):
    print(isinstance(resources, ResourceList))
    return input[0][:-3]


rule all:
    input: "a.in"
    output: "a.out"
    params: stem=stem
    message: "of {params.stem}"
    shell: "touch {output}"
path = IOFile(temp("{x}.txt"), workflow.get_rule("all"))
print(the_same is Namedlist, path, path.get_wildcard_names(), path.flags, isinstance(path, _IOFile), isinstance(temp("x"), AnnotatedString))
# expect: True {x}.txt {'x'} {'temp': True} True True
print(IOFile("a")) # expect: a
# expect: True
# expect: of a
# file a.in: x
