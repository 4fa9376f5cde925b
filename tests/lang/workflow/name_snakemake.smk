print(snakemake.__version__.split(".")[0])

rule all:
    input: []
# expect: 9
