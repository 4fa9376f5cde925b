rule one:
    input: "in.txt"
    output: "dir/out.txt"
    params: t=threads, m=resources.mem_mb, i=input[0], b=subpath(output[0], basename=True)
    threads: 1
    resources: mem_mb=70
    shell: "tool {params.t} {params.m} {params.i} {params.b}"
# file in.txt: x
# args: -n -p -c1
# expect: tool 1 70 in.txt out.txt
