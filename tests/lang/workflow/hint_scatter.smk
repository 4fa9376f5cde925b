# args: -n -c1 --set-scatter splitt=3
scattergather:
    split=2
print(gather.splt)
# expect error: Gather' object has no attribute 'splt'
# expect error: hint: did you mean 'split'?
