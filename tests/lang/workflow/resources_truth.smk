rule one:
    output: "x"
    resources: exclusive=True, requeue=lambda wildcards: False
    shell: "tool {resources.exclusive} {resources.requeue}"
# args: -n -p -c1
# expect: exclusive=True, requeue=False
# expect: tool True False
