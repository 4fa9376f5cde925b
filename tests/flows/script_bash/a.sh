for name in word held counted named status; do
    echo "${snakemake_params[$name]}"
done > "${snakemake_output[0]}"
