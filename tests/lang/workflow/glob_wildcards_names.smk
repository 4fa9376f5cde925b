SAMPLES, = glob_wildcards("data/{s}.fq")
print(sorted(SAMPLES))  # expect: ['A', 'B']
found = glob_wildcards("data/{s}.{ext}")
print(sorted(zip(found.s, found.ext)))  # expect: [('A', 'fq'), ('B', 'fq'), ('C', 'txt')]
# file data/A.fq: a
# file data/B.fq: b
# file data/C.txt: c
