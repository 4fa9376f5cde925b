with open(snakemake.output[0], "w") as out:
    print("hello", snakemake.params.name, file=out)
