ratio = snakemake.params.ratio
with open(snakemake.output[0], "w") as out:
    print(type(ratio).__name__, ratio + 1, snakemake.params["many"]["a"][0] * 2, file=out)
