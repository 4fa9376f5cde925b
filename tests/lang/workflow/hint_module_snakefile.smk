module part:
    snakefile: os.path.abspath("part.smkk")
use rule * from part
# file part.smk: x = 1\n
# expect error: Failed to open source file
# expect error:  |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# expect error: part.smk'?
