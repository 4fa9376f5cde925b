# The names of a job's files are a view, as the keys of a dict.
rule all:
    input: bam="a.bam", bai="a.bam.bai"
    output: "out"
    params:
        both=lambda w, input: sorted(input.keys() & {"bam", "vcf"}),
        rest=lambda w, input: sorted(input.keys() - {"bam"}),
        names=lambda w, input: " ".join(input.keys()),
        equal=lambda w, input: input.keys() == {"bai", "bam"}
    message: "{params.both} {params.rest} {params.names} {params.equal}" # expect: bam bai bam bai True
    shell: "touch {output}"
# file a.bam: x
# file a.bam.bai: x
