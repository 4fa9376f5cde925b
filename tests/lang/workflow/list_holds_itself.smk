loop = []
loop.append(loop)
try:
    temp(loop)
except RecursionError:
    print("no end")  # expect: no end
rule a:
    output: loop
# expect error: RecursionError
