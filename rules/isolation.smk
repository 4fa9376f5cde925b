# Autofluorescence, measured in the blank cycles, taken off every marker.


rule isolation:
    "Images of the markers alone, and isolated.ome.tif."
    input:
        rules.registration.output.done,
        named_file("isolation", "exposures"),
    output:
        image=ISOLATED + "/isolated.ome.tif",
        done=ISOLATED + "/" + DONE,
    params:
        options=flags("isolation"),
    log:
        "logs/isolation.log",
    benchmark:
        "benchmarks/isolation.tsv"
    threads: stage_threads("isolation")
    resources:
        mem_mb=32000,
        runtime=60,
        slurm_account=account_name(CPU_ACCOUNT),
        slurm_partition=CPU_ACCOUNT_PARTITION if CPU_ACCOUNT else None,
    shell:
        "{IMAGE_TOOL} isolate . --device cpu --threads {threads} {params.options} > {log} 2>&1"
