# Disk space back: stitched and deconvolved planes go once everything made from them has passed its quality check. The
# sentinels stay, so that nothing is made again.


rule cleanup_safe:
    "Removes intermediate planes whose results are complete and checked."
    input:
        rules.qc.output,
        rules.registration.output,
        rules.isolation.output,
    output:
        "data/processed/.cleanup_complete",
    params:
        planes=expand(
            "{stage}/cyc{cycle}",
            stage=[STITCHED] if EDF_OF_STITCHED else [STITCHED, DECONVOLVED],
            cycle=CYCLES,
        ),
    localrule: True
    shell:
        "{IMAGE_TOOL} qc . --gate && "
        "find {params.planes:q} -name '*.tif' -not -path '*/flat.tif' -not -path '*/dark.tif' -delete && "
        "date > {output:q}"
