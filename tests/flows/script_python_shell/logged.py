import sys

from snakemake.shell import shell

with open(snakemake.log[0], "w") as log:
    sys.stderr = log
    sys.stdout = log
    print("printed")
shell("echo 1 > {snakemake.output}")
