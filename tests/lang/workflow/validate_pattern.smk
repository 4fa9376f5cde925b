# Patterns of a schema are Python's: \Z is the very end; what is no regular expression is told.
from snakemake.exceptions import WorkflowError
from snakemake.utils import validate

def said(schema, value):
    try:
        validate({"k": value}, {"properties": {"k": schema}})
        return "fits"
    except WorkflowError as error:
        return str(error).split("\n")[1]

print(said({"pattern": r"x\Z"}, "x"))  # expect: fits
print(said({"pattern": r"x\Z"}, "x\n"))  # expect: ValidationError: 'x\n' does not match 'x\\Z' (at k)
print(said({"pattern": "("}, "x"))
# expect: ValidationError: the schema says 'pattern: '('', which is no regular expression: missing ), unterminated subpattern at position 0 (at k)
print(said({"pattern": "("}, 3))  # expect: fits
print(said({"patternProperties": {r"\p{L}": {}}}, {"a": 1}))
# expect: ValidationError: the schema says 'patternProperties: '\\p{L}'', which is no regular expression: bad escape \p at position 0 (at k)
print(said({"patternProperties": {"(": {}}}, {}))  # expect: fits
print(said({"additionalProperties": False, "patternProperties": {"(": {}, "^a": {"type": "string"}}}, {"b": 1}))
# expect: ValidationError: 'b' does not match any of the regexes: '(', '^a' (at k)
