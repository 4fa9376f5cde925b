CFG = {"A": ["a1.fq", "a2.fq"]}
def fastqs(wildcards):
    return CFG[wildcards.sample]
rule all:
    input: "A.bam"
rule align:
    input: fastqs, ref="ref.fa"
    output: "{sample}.bam"
    shell: "touch {output}"
# file a1.fq: 1
# file a2.fq: 2
# file ref.fa: r
# expect: rule align:
# expect: input: a1.fq, a2.fq, ref.fa
