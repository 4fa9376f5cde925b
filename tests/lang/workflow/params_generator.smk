# What a params or resources function yields is collected at once.
def numbers(wildcards):
    yield from range(3)
rule all:
    input: "in.txt"
    output: "A.out"
    params:
        names=lambda wc, input: (f"{name}={path}" for name, path in zip("ab", [*input, "x"])),
        numbers=numbers,
        kept=[1, 2],
    shell: "echo {params.names} {params.numbers} {params.numbers[2]} {params.kept}"
# file in.txt: x
# args: -n -p -c1
# expect: echo a=in.txt b=x 0 1 2 2 1 2
