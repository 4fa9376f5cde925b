# args: -n -c1 --set-scatter splitt=3
scattergather:
    split=2
rule all:
    input: scatter.split("{scatteritem}.txt")
# expect error: rule all needs '1-of-2.txt'
# expect error: warning: --set-scatter: `scattergather:` names no 'splitt'
# expect error: hint: did you mean 'split'?
