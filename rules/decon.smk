# Blur taken off the stitched planes: 3-D Richardson-Lucy with the microscope's own point spread function.


rule decon_cycle:
    input:
        rules.stitch_cycle.output,
        named_file("decon", "psf"),
    output:
        DECONVOLVED + "/cyc{cycle}/" + DONE,
    params:
        options=flags("decon"),
        stated=stated("decon"),
    log:
        "logs/decon/cyc{cycle}.log",
    benchmark:
        "benchmarks/decon/cyc{cycle}.tsv"
    threads: stage_threads("decon")
    resources:
        mem_mb=48000,
        cpu_mem_mb=128000,  # these two where the job goes to CPUs
        cpu_threads=8,
        cpu_factor=37,  # times as long as on a GPU, as measured: where the device is chosen before a job has run
        runtime=120,
        slurm_account=cycle_account_name,
        slurm_partition=cycle_partition,
        gres=cycle_gres,
        device=cycle_device,
    shell:
        "{IMAGE_TOOL} deconv . --cycle {wildcards.cycle} --device {resources.device} --threads {threads} {params.options} > {log} 2>&1"


rule decon:
    "Deconvolved planes of all cycles."
    input:
        expand(rules.decon_cycle.output, cycle=CYCLES),
