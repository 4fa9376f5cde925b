# Where a value of the config comes from, if files and the command line both give some.
# args: -n -c1 --config mode=fats
from snakemake.utils import validate
configfile: "config.yaml"
validate(config, {"properties": {"mode": {"enum": ["fast", "slow"]}}})
# file config.yaml: mode: slow\n
# expect error: ValidationError: 'fats' is not one of ['fast', 'slow'] (at mode)
# expect error: hint: config comes from config.yaml and --config
