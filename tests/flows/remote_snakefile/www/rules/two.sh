echo two > ${snakemake_output[0]}
