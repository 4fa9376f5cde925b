configfile: "config.yaml"
print(config)
# file config.yaml: pair: !!python/tuple [1, 2]\nname: !!python/str x\n
# expect: {'pair': (1, 2), 'name': 'x'}
