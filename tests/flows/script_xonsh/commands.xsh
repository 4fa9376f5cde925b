n = snakemake.params.n
for i in range(n):
    echo @(i) >> @(snakemake.output[0])
first = $(head -n 1 @(snakemake.output[0]))
echo @(first.strip()) @(snakemake.params.t) >> @(snakemake.output[0])
