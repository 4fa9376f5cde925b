from snakemake.shell import shell

shell("echo {0} {k} {1} > {snakemake.output}", "pos", ["a", "b"], k=3)
shell("echo {} {:q} >> {snakemake.output}", "first", "se cond")
