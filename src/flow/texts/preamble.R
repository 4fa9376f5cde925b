# What an R script of a rule sees before its first line. The engine puts the values in place of the @names@.
library(methods)
Snakemake <- setClass(
    "Snakemake",
    slots = c(
        input = "list", output = "list", params = "list", wildcards = "list", threads = "numeric", log = "list",
        resources = "list", config = "list", rule = "character", bench_iteration = "numeric",
        scriptdir = "character", source = "function"
    )
)
snakemake <- Snakemake(
    input = @input@, output = @output@, params = @params@, wildcards = @wildcards@, threads = @threads@,
    log = @log@, resources = @resources@, config = @config@, rule = @rule@,
    bench_iteration = @bench_iteration@, scriptdir = @scriptdir@,
    source = function(...) {
        before <- getwd()
        on.exit(setwd(before), add = TRUE)
        setwd(snakemake@scriptdir)
        source(...)
    }
)
