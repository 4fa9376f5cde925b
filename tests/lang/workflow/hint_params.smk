# args: -c1
# A misspelt name in a shell command: the nearest one that the job has.
rule a:
    output: "a.txt"
    params: threshold=3
    shell: "echo {params.treshold} > {output}"
# expect error: 'Params' object has no attribute 'treshold'
# expect error: did you mean 'threshold'?
