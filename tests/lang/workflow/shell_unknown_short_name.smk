# A short name that is unknown is no slip for another that shares one letter with it.
rule a:
    output: "a"
    log: "a.log"
    shell: "echo {foo} {log} > {output}"
# args: -c1
# expect error: The name 'foo' is unknown in this context. Please make sure
# ours only
