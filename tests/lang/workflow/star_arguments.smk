items = ["a.txt", "b.txt"]
named = {"n1": "c.txt"}
rule a:
    output: *items, **named
    shell: "touch {output.n1} {output[0]}"
# args: -n -p -c1
# expect: touch c.txt a.txt
