def near(name):
    return str(Path(workflow.snakefile).parent / name)


rule a:
    output:
        "a.txt",
    params:
        early=near("data.txt"),
        late=lambda w: near("data.txt"),
        source=lambda w: workflow.source_path("data.txt"),
    shell:
        "cat {params} > {output}"
