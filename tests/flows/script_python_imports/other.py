from snakemake import io, shell
import snakemake.utils

shell("echo {io.__name__} > other.txt")
