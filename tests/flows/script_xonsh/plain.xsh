#!/usr/bin/env xonsh
import os
import sys

import helper

snakemake.params
logger.level
assert snakemake.input[0] == "Snakefile"
assert snakemake.input.named == ["Snakefile", "helper.py"]
assert snakemake.params.t == 'say "hi" \\ $HOME @(1) é'
assert snakemake.params["many"] == ["a", "]]"]
assert snakemake.threads == 2 and snakemake.resources.mem_mb == 100
assert snakemake.config["deep"] == {"a": None, "b": [True, "x"]}
assert snakemake.rule == "run" and snakemake.bench_iteration is None
assert __name__ == "__main__" and os.path.samefile(os.path.dirname(__file__), snakemake.scriptdir)
with open(snakemake.output[0], "w") as out:
    print(helper.word, snakemake.wildcards.script, os.path.basename(__file__), sys._getframe().f_lineno, file=out)
