# What glob_wildcards() gives is a named tuple, in the Snakefile and among params.
# args: -c1
w = glob_wildcards("{name}.{end,in}")
print(w, isinstance(w, tuple), w == (["a"], ["in"]), w._fields)  # expect: Wildcards(name=['a'], end=['in']) True True ('name', 'end')
names, ends = w
print(names, w.end, w[1], len(w), w._asdict(), w._replace(end=0).end)  # expect: ['a'] ['in'] ['in'] 2 {'name': ['a'], 'end': ['in']} 0
print(type(w).__module__, hasattr(w, "keys"), glob_wildcards("a.in"))  # expect: snakemake.io False Wildcards()
rule all:
    params: w=w
    run: print(repr(params.w), params.w.name)  # expect: Wildcards(name=['a'], end=['in']) ['a']
# file a.in: x
