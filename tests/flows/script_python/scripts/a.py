with open(snakemake.output[0], "w") as file:
    print(sum(snakemake.params.numbers), snakemake.params["name"], snakemake.threads, snakemake.rule, file=file)
