include: "Snakefile"

use rule all as all_that with:
    input: rules.again.output
