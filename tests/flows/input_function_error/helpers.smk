rule quoted:
    input:
        branch(evaluate("'{sample}' == 'A'"), then="x.out", otherwise="y.out"),
    output:
        "{sample}.quoted",

rule chosen:
    input:
        first="x.out", second=branch(lambda w: w.sample, cases={"B": "x.out"}),
    output:
        "{sample}.chosen",
