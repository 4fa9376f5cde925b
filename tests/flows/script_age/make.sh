echo made > "${snakemake_output[0]}"
