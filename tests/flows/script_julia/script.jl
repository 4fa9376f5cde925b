@assert snakemake.input[1] == "Snakefile"
@assert snakemake.input["named"] == ["Snakefile", "script.jl"]
@assert snakemake.params["n"] == 3
@assert snakemake.params["t"] == "say \"hi\" \\ \$there"
@assert snakemake.params["many"] == ["a", "b"]
@assert snakemake.threads == 2
@assert snakemake.resources["mem_mb"] == 100
@assert snakemake.config["deep"]["a"] === nothing
@assert snakemake.config["deep"]["b"] == [true, "x"]
@assert snakemake.rule == "j"
@assert snakemake.bench_iteration === nothing
open(snakemake.output[1], "w") do f
    println(f, "julia")
end
