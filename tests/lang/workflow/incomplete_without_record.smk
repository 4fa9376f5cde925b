# args: -n -c1 --ignore-incomplete
# An output that is only known to be incomplete has no code that could have changed.
rule a:
    output: "a"
    shell: "touch {output}"
# file a: x
# file .snakemake/incomplete/YQ==: 
# expect: Nothing to be done
# expect: Rules with missing metadata: a
