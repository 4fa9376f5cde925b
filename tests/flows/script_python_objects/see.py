import os
import re

import kinds

with open(snakemake.output[0], "w") as out:
    for name, item in snakemake.params.items():
        if name not in ("functions", "part", "native", "rows", "given"):
            print(name, type(item).__module__, type(item).__qualname__, repr(item), file=out)
    print({key: snakemake.config[key] for key in ["cfg", "ordered"]}, file=out)
params = snakemake.params
assert params.functions[1] is kinds.Cfg and type(params.cfg) is kinds.Cfg and params.nested[1][kinds.Col.RED] is kinds.Number.ONE
assert params.word["w"].shout() == "W" and params.part[0]() == 8 and params.counter.most_common(1) == [("a", 2)]
params.ordered.move_to_end("b")
params.counts["new"].append(1)
assert params.functions == [kinds.double, kinds.Cfg] and params.builtin == [int, len]
assert params.native == [os.path.join, re.sub] and type(params.rows[1]) is type(params.rows[2])
given, many, wildcards = params.given
assert type(given) is type(snakemake.input) and given.many == ["kinds.py", "there.py"] and given[0] == "see.py"
assert many == given.many and type(many) is type(given.many) and type(wildcards) is type(snakemake.wildcards)
