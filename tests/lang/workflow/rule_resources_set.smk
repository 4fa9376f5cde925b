# Resources that a Snakefile gives to rules afterwards hold, as far as a rule has none.
rule all:
    input:
        "a.txt",
        "b.txt",


rule a:
    output:
        "a.txt",
    resources:
        mem_mb=5,
        twice=lambda wildcards, attempt: 2 * attempt,
    shell:
        "touch {output}"


rule b:
    output:
        "b.txt",
    shell:
        "touch {output}"


for rule in workflow.rules:
    print(rule.name, "mem_mb" in rule.resources, "twice" in rule.resources)
    if "mem_mb" not in rule.resources:
        rule.resources["mem_mb"] = 3000
# args: -n -c1
# expect: all False False
# expect: a True True
# expect: b False False
# expect: mem_mb=5, mem=5 MB, mem_mib=5, twice=2
# expect: mem_mb=3000, mem=3 GB, mem_mib=2862
