class Config(dict):
    def __getattr__(self, key):
        return self[key]
class View:
    def __init__(self, data):
        self.__data = data
    def __getitem__(self, key):
        return self.__data.get(key, "default")
    def __setitem__(self, key, value):
        self.__data[key] = value
    def __contains__(self, key):
        return key in self.__data
v = View({"a": 1})
v["b"] = 2
print(v["a"], v["b"], v["c"], "a" in v, "z" in v, Config(x=5).x)  # expect: 1 2 default True False 5
