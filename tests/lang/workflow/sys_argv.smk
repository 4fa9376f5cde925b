# sys.argv holds the command line, here and in the modules of python3.
import sys
from pdb import sys as theirs

print("here", sys.argv[-3:], sys.argv == theirs.argv)


rule all:
    output: "a.txt"
    run:
        print("run", sys.argv[sys.argv.index("--configfile") + 1])
        open(output[0], "w").close()
# file config.yaml: a: 1
# args: -c1 --configfile config.yaml
# expect: here ['-c1', '--configfile', 'config.yaml'] True
# expect: run config.yaml
