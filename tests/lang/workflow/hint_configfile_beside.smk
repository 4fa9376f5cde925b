# A config file is looked for in the working directory, not beside the Snakefile.
include: os.path.abspath("workflow/part.smk")
# file workflow/part.smk: configfile: "config.yaml"\n
# file workflow/config.yaml: a: 1\n
# expect error: beside the Snakefile there is 'workflow/config.yaml'
