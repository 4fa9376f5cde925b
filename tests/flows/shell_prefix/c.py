import os
with open(snakemake.output[0], "w") as out:
    print(os.environ["WORD"], file=out)
