# The caret stands under the field of a text that cannot be filled in, and not under the text.
rule a:
    output: "a.txt"
    params: threshold=3
    shell: "tool -o {output} -t {params.treshold:>5}"
# args: -n -p -c1
# expect error:  |                                  ^^^^^^^^^^^^^^^
# expect error: did you mean 'threshold'?
