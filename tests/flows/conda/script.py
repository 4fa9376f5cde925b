import subprocess

with open(snakemake.output[0], "wb") as out:
    out.write(subprocess.check_output("tool"))
