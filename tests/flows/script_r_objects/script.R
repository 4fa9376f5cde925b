stopifnot(identical(snakemake@params$held, c(0.5, 2)), identical(snakemake@params$counted, 0:2))
stopifnot(identical(snakemake@params[["named"]], c("a", "b")), identical(snakemake@params$status, 200L))
stopifnot(identical(snakemake@params$statuses, c(200L, 1L)), identical(snakemake@params$flagged, c(1L, 1L)))
file.create(snakemake@output[[1]])
