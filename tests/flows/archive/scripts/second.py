open(snakemake.output[0], "w").write(open(snakemake.input[0]).read())
