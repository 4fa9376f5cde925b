pepschema: "../schemas/pep.yaml"


rule sample:
    output:
        "out/{sample}.txt",
    params:
        organism=lambda wildcards: pep.get_sample(wildcards.sample).organism,
    shell:
        "echo {wildcards.sample} {params.organism} {pep.name} > {output}"
