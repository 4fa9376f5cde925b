# --max-threads 0 is a limit, too.
# args: -c2 --max-threads 0
rule all:
    threads: 2
    shell: "echo it has {threads}"  # expect: it has 0
