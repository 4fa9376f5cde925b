rule one:
    output:
        "one.txt",
    params:
        data=workflow.source_path("../data.txt"),
    shell:
        "cat {params.data} > {output}"
