from snakemake.shell import shell
from snakemake.utils import makedirs

makedirs("logs")
log = snakemake.log_fmt_shell(stdout=True)
shell("(cp {snakemake.input} {snakemake.output}; echo copied) {log}")
