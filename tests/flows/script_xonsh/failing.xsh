touch @(snakemake.output[0])
false
touch reached
