rule all:
    input: 'q"uote.out', "back\\slash.out", "br]ack[et.out"

rule odd:
    name: 'my "rule" \\ <x>'
    output: "{w}.out"
    shell: "touch {output:q}"
