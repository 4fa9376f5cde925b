# What a command has printed before it fails comes first; the failure is told when it is asked for more.
lines = shell("echo a; echo b; exit 3", iterable=True)
try:
    for line in lines:
        print("line", line)
    # expect: line a
    # expect: line b
except Exception as e:
    print(type(e).__name__, e.returncode) # expect: CalledProcessError 3
print(list(lines), next(shell("echo c", iterable=True))) # expect: [] c
rule all:
