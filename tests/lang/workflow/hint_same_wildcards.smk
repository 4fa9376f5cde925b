rule a:
    output: "{sampel}.out"
    log: "{sample}.{n}.log"
    shell: "touch {output}"
# expect error: RuleException: Not all output, log and benchmark files of rule a contain the same wildcards.
# expect error: hint: the first of these files has {sampel}, this one has {sample}, {n}
