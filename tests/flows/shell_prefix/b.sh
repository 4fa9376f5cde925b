echo $WORD > "${snakemake_output[0]}"
