# What a statement or a rule complains of is an exception that code may catch; the workflow goes on then.
try:
    configfile: "missing.yaml"
except WorkflowError as error:
    print(str(error).partition(" (full")[0])  # expect: Workflow defines configfile missing.yaml but it is not present or accessible
try:
    include: "missing.smk"
except FileNotFoundError as error:
    print("missing.smk: No such file or directory" in str(error))  # expect: True
try:
    envvars:
        "THIS_ONE_IS_NOT_SET",
except Exception as error:
    print(type(error).__name__)  # expect: WorkflowError


rule all:
    input: []


try:
    rule all:
        input: []
except Exception as error:
    print(type(error).__name__, error)  # expect: CreateRuleException The name all is already used by another rule
try:
    rule other:
        output: "{x}", "c"
except Exception as error:
    print(type(error).__name__)  # expect: RuleException

# expect: all
# args: -n
