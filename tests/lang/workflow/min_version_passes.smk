from snakemake.utils import min_version
min_version("7.0")
try:
    min_version("99.0")
except WorkflowError:
    print("too new")  # expect: too new
rule all:
    input: []
