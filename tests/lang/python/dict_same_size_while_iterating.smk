# A loop over a dict whose keys are exchanged: what it meets, and when it is an error, is what CPython does.
def rename(names):
    names = dict.fromkeys(names)
    met = []
    try:
        for name in names:
            met.append(name)
            names["x" + name] = names.pop(name)
    except RuntimeError as e:
        met.append(str(e))
    print(met, list(names))
rename("ab") # expect: ['a', 'b', 'dictionary keys changed during iteration'] ['xa', 'xb']
rename("abc") # expect: ['a', 'b', 'c'] ['xa', 'xb', 'xc']
rename("abcde") # expect: ['a', 'c', 'd', 'e', 'xa', 'dictionary keys changed during iteration'] ['b', 'xc', 'xd', 'xe', 'xxa']
samples = {i: 0 for i in range(10)}
for sample in samples:
    samples[sample] += 1
print(set(samples.values())) # expect: {1}
