# What the module statement or the configuration says holds for the modules inside, too; what a Snakefile itself says
# does not.
# file part.smk: pathvars: own="part"\nmodule deep:\n    snakefile: "deep.smk"\nuse rule * from deep\n
# file deep.smk: pathvars: own="deep", told="deep", set="deep"\nrule b:\n    output: "<own>/<told>/<set>.txt"\n    shell: "touch {output}"\n
pathvars: own="main", told="main"
module m:
    snakefile: os.path.abspath("part.smk")
    pathvars: told="statement"
use rule * from m
rule all:
    input: "deep/statement/main.txt"
    default_target: True
# args: -n -c1 --config "pathvars={set: main}"
# expect: output: deep/statement/main.txt
