import sys

import beside
import helper
import tool
from scripts import common

with open(snakemake.output[0], "w") as out:
    print(common.NAME, beside.NAME, tool.NAME, helper.NAME, "no such folder" in sys.path, sep="\n", file=out)
