# All cycles brought onto the reference cycle by its nuclear channel; one OME-TIFF of every marker.


rule registration:
    "Registered images of all markers, and registered.ome.tif."
    input:
        expand(rules.edf_cycle.output, cycle=CYCLES),
    output:
        image=REGISTERED + "/registered.ome.tif",
        transforms=REGISTERED + "/transforms.json",
        done=REGISTERED + "/" + DONE,
    params:
        options=flags("registration"),
        reference=REFERENCE_CYCLE,
    log:
        "logs/registration.log",
    benchmark:
        "benchmarks/registration.tsv"
    threads: stage_threads("registration")
    resources:
        mem_mb=64000,
        runtime=120,
        slurm_account=account_name(REGISTRATION_ACCOUNT),
        slurm_partition=REGISTRATION_PARTITION,
        gres="gpu:1" if REGISTRATION_ACCOUNT and REGISTRATION_DEVICE == "gpu" else None,
        device=REGISTRATION_DEVICE if REGISTRATION_ACCOUNT else DEVICE,
    shell:
        "{IMAGE_TOOL} register . --reference {params.reference} --device {resources.device} --threads {threads} {params.options} > {log} 2>&1"
