configfile: "config.yml"
# file config.yaml: a: 1\n
# expect error: Workflow defines configfile config.yml but it is not present
# expect error: hint: did you mean 'config.yaml'?
