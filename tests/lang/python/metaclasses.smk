# Metaclasses make classes, and say what classes do; the most derived one of the bases is taken.
class Registry(type):
    known = {}

    def __new__(mcs, name, bases, namespace, tag=None, **keywords):
        made = super().__new__(mcs, name, bases, namespace, **keywords)
        mcs.known[tag or name] = made
        return made

    def __init__(cls, name, bases, namespace, tag=None, **keywords):
        super().__init__(name, bases, namespace)
        cls.initialized = name

    def __getitem__(cls, key):
        return "%s[%s]" % (cls.__name__, key)

    def __iter__(cls):
        return iter(["a", "b"])

    def __len__(cls):
        return 7

    def __contains__(cls, item):
        return item == "a"

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return "no " + name

    def __repr__(cls):
        return "<registered %s>" % cls.__name__

    @property
    def lower(cls):
        return cls.__name__.lower()

    def method(cls):
        return cls.__name__ + "!"


class Tool(metaclass=Registry, tag="first"):
    size = 1

    def __init__(self, count=3):
        self.count = count


class Cutter(Tool):
    def __init__(self):
        super().__init__(9)


print(Registry.known)  # expect: {'first': <registered Tool>, 'Cutter': <registered Cutter>}
print(Tool.initialized, Cutter.initialized, Tool.size, Cutter.size)  # expect: Tool Cutter 1 1
print(Tool[3], list(Tool), len(Cutter), "a" in Tool, "z" in Tool)  # expect: Tool[3] ['a', 'b'] 7 True False
print(Tool.other, Tool.lower, Cutter.method())  # expect: no other tool Cutter!
print(type(Tool).__name__, type(Cutter) is Registry, isinstance(Tool, Registry), isinstance(Tool(), Tool))
# expect: Registry True True True
print(Tool().count, Tool(5).count, Cutter().count, hasattr(Tool(), "method"))  # expect: 3 5 9 False
print(type("Made", (Tool,), {"x": 1}).initialized, type(Registry("Other", (), {})) is Registry)  # expect: Made True


class Single(type):
    made = {}

    def __call__(cls, *args):
        if cls not in Single.made:
            Single.made[cls] = super().__call__(*args)
        return Single.made[cls]


class Config(metaclass=Single):
    def __init__(self, value):
        self.value = value


print(Config(1) is Config(2), Config(3).value)  # expect: True 1


class Ordered(type):
    @classmethod
    def __prepare__(mcs, name, bases, **keywords):
        return {"prepared": name}


class Prepared(metaclass=Ordered):
    shown = prepared + "?"


print(Prepared.prepared, Prepared.shown)  # expect: Prepared Prepared?


class Loud(dict):
    def __setitem__(self, key, item):
        if not key.startswith("__"):
            print("set", key)
            # expect: set x
            # expect: set y
        super().__setitem__(key, item)


class Watching(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return Loud()


class Watched(metaclass=Watching):
    x = 1
    y = x + 1


print(Watched.y, type(Watched.__dict__) is Loud)  # expect: 2 False


class Five(type):
    def __instancecheck__(cls, instance):
        return instance == 5

    def __subclasscheck__(cls, other):
        return other is str


class Fives(metaclass=Five):
    pass


print(isinstance(5, Fives), isinstance(6, Fives), isinstance(Fives(), Fives), isinstance(5, (str, Fives)))
# expect: True False True True
print(issubclass(str, Fives), issubclass(int, Fives))  # expect: True False


def as_tuple(name, bases, namespace, **keywords):
    return name, [base.__name__ for base in bases], [key for key in namespace if key[0] != "_"], keywords


class Told(int, metaclass=as_tuple, more=1):
    x = 1


print(Told)  # expect: ('Told', ['int'], ['x'], {'more': 1})
try:
    class Torn(Tool, metaclass=Single):
        pass
except TypeError as error:
    print(error)
    # expect: metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases


class Base:
    heard = []

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__()
        cls.heard.append((cls.__name__, keywords))


class Keywords(Base, a=1, **{"b": 2}):
    pass


type("Dynamic", (Base,), {})
print(Base.heard)  # expect: [('Keywords', {'a': 1, 'b': 2}), ('Dynamic', {})]
