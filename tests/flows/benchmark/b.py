with open(snakemake.output[0], "a") as out:
    print(snakemake.bench_iteration, file=out)
