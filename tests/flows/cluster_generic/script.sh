echo "by ${snakemake[rule]}" > "${snakemake_output[0]}"
