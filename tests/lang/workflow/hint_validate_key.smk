from snakemake.utils import validate
validate({"smaples": 3}, {"properties": {"samples": {}}, "additionalProperties": False})
# expect error: Additional properties are not allowed ('smaples' was unexpected)
# expect error: hint: did you mean 'samples'?
