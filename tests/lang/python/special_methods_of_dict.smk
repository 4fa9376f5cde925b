# Methods of C under the names of other special methods: objects whose attributes are keys.
class DotDict(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


d = DotDict(a=1, b=2)
d.c = 3
del d.a
print(d, d.c, d.missing)  # expect: {'b': 2, 'c': 3} 3 None


class Strict(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


s = Strict()
s.x = [1]
s.x.append(2)
print(s, s.x)  # expect: {'x': [1, 2]} [1, 2]
try:
    s.y
except KeyError as error:
    print("KeyError", error)  # expect: KeyError 'y'


class Kept:
    __setattr__ = object.__setattr__


k = Kept()
k.x = 1
del k.x
print(vars(k))  # expect: {}


class Texts(dict):
    __missing__ = str


print(Texts()[3], Texts({3: 4})[3])  # expect: 3 4
