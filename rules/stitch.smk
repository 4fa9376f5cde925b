# Tiles of a cycle to one image per channel and plane: illumination corrected, placed, blended.


rule stitch_cycle:
    input:
        raw_tiles,
        dark_frames,
        named_file("stitch", "positions"),
    output:
        STITCHED + "/cyc{cycle}/" + DONE,
    params:
        options=flags("stitch"),
        stated=stated("stitch"),
    log:
        "logs/stitch/cyc{cycle}.log",
    benchmark:
        "benchmarks/stitch/cyc{cycle}.tsv"
    threads: stage_threads("stitch")
    resources:
        mem_mb=48000,
        cpu_mem_mb=48000,  # these two where the job goes to CPUs
        cpu_threads=8,
        cpu_factor=4,  # times as long as on a GPU, as measured: where the device is chosen before a job has run
        runtime=60,
        slurm_account=cycle_account_name,
        slurm_partition=cycle_partition,
        gres=cycle_gres,
        device=cycle_device,
    shell:
        "{IMAGE_TOOL} stitch . --cycle {wildcards.cycle} --device {resources.device} --threads {threads} {params.options} > {log} 2>&1"


rule stitch:
    "Stitched planes of all cycles."
    input:
        expand(rules.stitch_cycle.output, cycle=CYCLES),
