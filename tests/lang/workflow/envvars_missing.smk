envvars: "SURELY_NOT_SET_ANYWHERE"
rule all:
    input: []
# expect error: SURELY_NOT_SET_ANYWHERE
