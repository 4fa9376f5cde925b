from collections import namedtuple
from pathlib import Path

from snakemake.exceptions import WildcardError, WorkflowError
from snakemake.io import directory, expand, glob_wildcards, multiext, temp

U = namedtuple("U", "sample")
with open(snakemake.output[0], "w") as out:

    def show(x):
        print(x, file=out)

    show(expand("{a}.{b}.txt", a=[1, 2], b="x"))
    show(expand(["{a}.txt", Path("d/{b}.csv"), "plain"], zip, a=["1", "2"], b=range(2), c="unused"))
    show(expand("{a}.{b}.txt", a="x", allow_missing=True))
    show(expand("{allow_missing}-{a:02d}-{{c}}", a={3}, allow_missing=True))
    show(expand("{u.sample}.{a[0]}", u=U("s"), a=["xy"]))
    try:
        expand("{a}", b=1)
    except WildcardError as error:
        show((error, isinstance(error, WorkflowError)))
    for pattern in ["data/{n}.{i}.txt", "data/{n}.{i,\\d{1}}.txt", "./data//{d}/{n}", "{x,data}/{n}.{n}.csv", "data/a.1.txt"]:
        found = glob_wildcards(pattern)
        show((type(found).__name__, found._fields, sorted(zip(*found))))
    show(glob_wildcards("{x}-{y}", files=["a-b", "c-d-e", "none"]))
    show([str(x) for x in [*multiext("p", ".a", ".b"), temp("t"), directory(Path("d")), *temp(["x", Path("y")])]])
