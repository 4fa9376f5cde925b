# Quality: numbers and figures of each stage, then one page for the whole project.

QC_DONE = "data/processed/qc"
QC_INPUTS = {
    "stitch": expand(rules.stitch_cycle.output, cycle=CYCLES),
    "decon": expand(rules.decon_cycle.output, cycle=CYCLES),
    "edf": expand(rules.edf_cycle.output, cycle=CYCLES),
    "registration": [REGISTERED + "/" + DONE],
    "isolate": [ISOLATED + "/" + DONE],
}
if EDF_OF_STITCHED:
    del QC_INPUTS["decon"]


rule qc_stage:
    input:
        lambda wildcards: QC_INPUTS[wildcards.stage],
    output:
        touch(QC_DONE + "/.{stage}_complete"),
    wildcard_constraints:
        stage="|".join(QC_INPUTS),
    log:
        "logs/qc/{stage}.log",
    resources:
        mem_mb=16000,
        runtime=30,
        slurm_account=account_name(CPU_ACCOUNT),
        slurm_partition=CPU_ACCOUNT_PARTITION if CPU_ACCOUNT else None,
    shell:
        "{IMAGE_TOOL} qc . --stage {wildcards.stage} > {log} 2>&1"


rule qc:
    "The quality report of all stages: qc_plots/index.html."
    input:
        expand(QC_DONE + "/.{stage}_complete", stage=QC_INPUTS),
    output:
        "qc_plots/index.html",
    params:
        options=flags("qc"),
    log:
        "logs/qc/report.log",
    resources:
        mem_mb=16000,
        runtime=30,
        slurm_account=account_name(CPU_ACCOUNT),
        slurm_partition=CPU_ACCOUNT_PARTITION if CPU_ACCOUNT else None,
    shell:
        "{IMAGE_TOOL} qc . {params.options} > {log} 2>&1"


rule validate:
    "Fails when a quality value is beyond its red threshold."
    input:
        rules.qc.output,
        rules.registration.output,
        rules.isolation.output,
    localrule: True
    shell:
        "{IMAGE_TOOL} qc . --gate"
