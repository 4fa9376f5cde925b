with open(snakemake.output[0], "w") as out:
    for name, item in snakemake.params.items():
        print(name, repr(item), file=out)
    print(snakemake.config, file=out)
