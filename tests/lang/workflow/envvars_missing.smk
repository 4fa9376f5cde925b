envvars: "PATH", "SURELY_NOT_SET_ANYWHERE", "NOR_THIS_ONE"
rule all:
    input: []
# expect error: before running Snakemake: SURELY_NOT_SET_ANYWHERE, NOR_THIS_ONE
