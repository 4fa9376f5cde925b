rule all:
    input: "{sample}.out"
# expect error: InputFunctionException: rule all: WildcardError: Wildcards in input files cannot be determined from output files: 'sample'
# expect error: hint: the rule has no wildcards, as no file that it makes has any; expand() makes lists of files
