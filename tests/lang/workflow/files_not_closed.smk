# What a Snakefile writes and does not close is there for its next statements, as in CPython.
open("c.yaml", "w").write("n: 1\n")
configfile: "c.yaml"
snakefile = os.path.abspath("part.smk")
open("part.smk", "w").write("print(config['n'])\n")
include: snakefile
open("part.smk", "w").write("print(2)\n")
module part:
    snakefile: snakefile
use rule * from part
# expect: 1
# expect: 2
