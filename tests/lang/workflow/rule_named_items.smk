rule a:
    input:
        "u.txt",
        left="l.txt",
        right=["r1.txt", "r2.txt"],
    output: out="o.txt"
    params: n=3, text="hello"
    threads: 2
    shell: "echo {input.left} {input.right} {params.text} {params.n} {output.out} {threads} > {output}"
# file u.txt: u
# file l.txt: l
# file r1.txt: r
# file r2.txt: r
# args: -n -p -c2
# expect: echo l.txt r1.txt r2.txt hello 3 o.txt 2 > o.txt
