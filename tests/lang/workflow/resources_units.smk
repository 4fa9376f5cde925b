rule one:
    output: "x"
    resources: mem="1.5 GB", runtime="2h", disk_mib=100
    shell: "tool {resources.mem_mb} {resources.mem_mib} '{resources.mem}' {resources.runtime} {resources.disk_mb}"
# args: -n -p -c1
# expect: tool 1500 1431 '1.5 GB' 120 104
