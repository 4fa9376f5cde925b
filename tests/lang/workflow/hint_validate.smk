# args: -n -c1 --config samples=[a] mode=fats
from snakemake.utils import validate
validate(config, {"properties": {"samples": {"type": "array"}, "mode": {"enum": ["fast", "slow"]}}})
# expect error: ValidationError: 'fats' is not one of ['fast', 'slow'] (at mode)
# expect error: hint: did you mean 'fast'?
# expect error: hint: config comes from --config
