import os
from snakemake.utils import validate

for n in (3, 1):
    try:
        validate({"a": n}, os.path.abspath("schema.yaml"))
        print(n, "is fine")
    except WorkflowError as e:
        print("not 1" if "is less than or equal to the minimum of True" in str(e) else e)
# file schema.yaml: $schema: "http://json-schema.org/draft-04/schema#"\nproperties:\n  a: {type: integer, minimum: 1, exclusiveMinimum: true}\n
# expect: 3 is fine
# expect: not 1
