echo "${snakemake_params[word]}" > "${snakemake_output[0]}"
