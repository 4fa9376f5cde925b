from snakemake.logging import logger as imported

with open(snakemake.output[0], "w") as file:
    print(sum(snakemake.params.numbers), snakemake.params["name"], snakemake.threads, snakemake.rule, file=file)
logger.info("a script's info")
logger.warning("a script's %s", "warning")
imported.error("a script's error")
