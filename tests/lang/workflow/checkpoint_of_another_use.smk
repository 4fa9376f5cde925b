# ours only
# A function of one rule asks for a checkpoint of its module that another `use rule` has taken.
# file part.smk: checkpoint split:\n    output: directory("parts")\n    shell: "mkdir {output}"\nrule late:\n    input: lambda w: checkpoints.split.get().output[0]\n    output: "late.txt"\n    shell: "touch {output}"\n
module m:
    snakefile: os.path.abspath("part.smk")
use rule split from m as m_*
use rule late from m as m_*  # expect error: Checkpoint split is not among the rules that this `use rule` takes from module m
# args: -n -c1 late.txt
