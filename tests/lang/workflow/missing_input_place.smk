# The place of the error is the item that names the file, not the first one.
rule all:
    input:
        "there.txt",
        here="gone.txt",
    output: "a.txt"
    shell: "touch {output}"
# file there.txt: x
# expect error: missing_input_place.smk:5:14
