from snakemake.shell import shell

log = snakemake.log_fmt_shell(stdout=False)
shell("(cp {snakemake.input} {snakemake.output}; echo copied >&2) {log}")
