touch "here.scripted${snakemake_wildcards[n]}"
sleep 100
