container: "docker://org/base:1"


rule beside:
    output:
        "beside.txt",
    params:
        table=workflow.source_path("data/table.txt"),
        absent=workflow.source_path("absent/other.txt"),
    shell:
        "cat {params.table} > {output}"
