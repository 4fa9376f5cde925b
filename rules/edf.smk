# One sharp image per marker from the planes: extended depth of field.


# edf: {input: stitched} does without deconvolution: it needs three planes.
EDF_OF_STITCHED = section("edf").get("input") == "stitched"


rule edf_cycle:
    input:
        rules.stitch_cycle.output if EDF_OF_STITCHED else rules.decon_cycle.output,
    output:
        EDF + "/cyc{cycle}/" + DONE,
    params:
        options=flags("edf"),
        markers=lambda wildcards: CHANNEL_NAMES[
            (int(wildcards.cycle) - 1) * N_CHANNELS : int(wildcards.cycle) * N_CHANNELS
        ],
    log:
        "logs/edf/cyc{cycle}.log",
    benchmark:
        "benchmarks/edf/cyc{cycle}.tsv"
    threads: stage_threads("edf")
    resources:
        mem_mb=48000,
        cpu_mem_mb=96000,  # these two where the job goes to CPUs
        cpu_threads=8,
        cpu_factor=2,  # times as long as on a GPU, as measured: where the device is chosen before a job has run
        runtime=60,
        slurm_account=cycle_account_name,
        slurm_partition=cycle_partition,
        gres=cycle_gres,
        device=cycle_device,
    shell:
        "{IMAGE_TOOL} edof . --cycle {wildcards.cycle} --device {resources.device} --threads {threads} {params.options} > {log} 2>&1"


rule edf:
    "In-focus images of all cycles."
    input:
        expand(rules.edf_cycle.output, cycle=CYCLES),
