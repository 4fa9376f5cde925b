NAME = "in the folder of the Snakefile"
