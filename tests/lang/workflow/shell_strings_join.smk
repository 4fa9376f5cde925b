rule a:
    output: "a.txt"
    params: p=lambda wc: "P"
    shell:
        "echo one "
        "{params.p} "
        'two > {output}'
# args: -n -p -c1
# expect: echo one P two > a.txt
