# update_config and configfile: put a mapping in the place of a plain value, but nothing in that of anything.
from snakemake.utils import update_config

config.update(plain=5, none=None, kept=7, nested={"a": 1})
update_config(config, {"plain": {"x": 1}, "none": {"y": {"z": 2}}, "kept": {}, "nested": {"b": {}}, "new": {}})
print(config)
configfile: "config.yaml"
print(config["nested"], config["kept"])


rule all:
    input: []
# file config.yaml: nested: {a: {c: 1}}\nkept: {}\n
# args: -n
# expect: {'plain': {'x': 1}, 'none': {'y': {'z': 2}}, 'kept': 7, 'nested': {'a': 1, 'b': {}}, 'new': {}}
# expect: {'a': {'c': 1}, 'b': {}} 7
