import yaml
a, b, d = [1], {"k": [2]}, {}
loop = [1]
loop.append(loop)
ring = {}
ring["self"] = ring


def dump(data, **options):
    print(repr(yaml.dump(data, **options)))



dump([a, a])  # expect: '- &id001\n  - 1\n- *id001\n'
dump([a, a, a])  # expect: '- &id001\n  - 1\n- *id001\n- *id001\n'
dump({'x': b, 'y': b})  # expect: 'x: &id001\n  k:\n  - 2\ny: *id001\n'
dump([b, b, a, a])  # expect: '- &id001\n  k:\n  - 2\n- *id001\n- &id002\n  - 1\n- *id002\n'
dump([a, b, a, b])  # expect: '- &id001\n  - 1\n- &id002\n  k:\n  - 2\n- *id001\n- *id002\n'
dump([d, d])  # expect: '- &id001 {}\n- *id001\n'
dump([(), ()])  # expect: '- !!python/tuple []\n- !!python/tuple []\n'
dump(['s' * 30] * 2)  # expect: '- ssssssssssssssssssssssssssssss\n- ssssssssssssssssssssssssssssss\n'
dump([1000000] * 2)  # expect: '- 1000000\n- 1000000\n'
dump(loop)  # expect: '&id001\n- 1\n- *id001\n'
dump(ring)  # expect: '&id001\nself: *id001\n'
dump([a, a], default_flow_style=True)  # expect: '[&id001 [1], *id001]\n'
dump([[a], [a]])  # expect: '- - &id001\n    - 1\n- - *id001\n'
dump({'a': a, 'b': {'c': a}}, default_flow_style=None)  # expect: 'a: &id001 [1]\nb:\n  c: *id001\n'
dump((1, 2))  # expect: '!!python/tuple\n- 1\n- 2\n'
dump({'t': (1, [2])})  # expect: 't: !!python/tuple\n- 1\n- - 2\n'
dump(1 + 2j)  # expect: "!!python/complex '1.0+2.0j'\n"
dump([1j, 2 + 0j, -1 - 1j])  # expect: "- !!python/complex '1.0j'\n- !!python/complex '2.0'\n- !!python/complex '-1.0-1.0j'\n"
dump([t := (1, 2), t])  # expect: '- &id001 !!python/tuple\n  - 1\n  - 2\n- *id001\n'
