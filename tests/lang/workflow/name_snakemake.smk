print(snakemake.__version__.split(".")[0])
snakemake.utils.min_version("8.0")
print(hasattr(snakemake, "nothing"))

rule all:
    input: []
# expect: 9
# expect: False
