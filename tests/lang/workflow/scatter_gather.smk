scattergather:
    split=2
rule all:
    input: gather.split("parts/{scatteritem}.txt")
rule part:
    output: "parts/{scatteritem}.txt"
    shell: "touch {output}"
# expect: output: parts/1-of-2.txt
# expect: output: parts/2-of-2.txt
