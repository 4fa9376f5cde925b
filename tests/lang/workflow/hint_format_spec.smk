# The same for a field inside a field.
rule a:
    output: "a.txt"
    params: width=3
    shell: "tool {output:>{params.witdh}}"
# args: -n -p -c1
# expect error:  |                            ^^^^^^^^^^^^
# expect error: did you mean 'width'?
