# A module does not see the config around it unless it is given it.
config["samples"] = 3
open("part.smk", "w").write('x = config["samples"]\n')
module part:
    snakefile: os.path.abspath("part.smk")
use rule * from part
# expect error: KeyError: 'samples'
# expect error: hint: `module part:` has a config of its own; `config: config` gives it that of the workflow
