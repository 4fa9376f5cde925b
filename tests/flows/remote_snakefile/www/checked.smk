from snakemake.utils import validate
validate(config, "schemas/config.yaml")
rule checked:
    output: "checked.txt"
    shell: "touch {output}"
