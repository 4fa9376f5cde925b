# snakemake.shell is the function wherever it comes from.
from snakemake.shell import shell as from_part
from snakemake import shell as from_package
import snakemake.shell

print(from_package is from_part, snakemake.shell is shell, from_package is shell)  # expect: True True True
print(snakemake.shell("echo told", read=True).strip())  # expect: told


rule all:
    input: []
# args: -n
