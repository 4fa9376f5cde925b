# self.__dict__ = d makes the items of d the attributes: dicts whose keys are attributes, and shared state.
class AttrDict(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


config = AttrDict(threads=4)
config.ref = "hg38.fa"
config["out"] = "results"
print(config, config.threads, config.out)  # expect: {'threads': 4, 'ref': 'hg38.fa', 'out': 'results'} 4 results
del config.threads
print(vars(config) is config, hasattr(config, "threads"), "keys" in config)  # expect: True False False


class Shared:
    _state = {}

    def __init__(self):
        self.__dict__ = self._state


Shared().n = 1
print(Shared().n, Shared._state)  # expect: 1 {'n': 1}


class Plain:
    def __init__(self, d):
        self.__dict__ = d


d = {"x": 1}
p = Plain(d)
p.y = 2
d["z"] = 3
print(p.x, p.z, d)  # expect: 1 3 {'x': 1, 'y': 2, 'z': 3}
p.__dict__ = {}
print(vars(p), hasattr(p, "x"), len(d))  # expect: {} False 3
try:
    p.__dict__ = 5
except TypeError as error:
    print(error)  # expect: __dict__ must be set to a dictionary, not a 'int'
