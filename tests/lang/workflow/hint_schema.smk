from snakemake.utils import validate
validate(config, os.path.abspath("schem.yaml"))
# file schema.yaml: type: object\n
# expect error: schem.yaml' cannot be read: No such file or directory
# expect error: schema.yaml'?
