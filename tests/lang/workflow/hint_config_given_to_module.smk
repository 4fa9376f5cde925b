open("part.smk", "w").write('x = config["samlpes"]\n')
module part:
    snakefile: os.path.abspath("part.smk")
    config: {"samples": 3}
use rule * from part
# expect error: hint: did you mean 'samples'?
# expect error: hint: config is what `config:` of `module part:` gives
