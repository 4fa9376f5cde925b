# SPDX-License-Identifier: MIT
# abc: abstract methods are marked; ABC refuses to make instances of classes that lack some.

ABCMeta = type


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


class abstractproperty(property):
    __isabstractmethod__ = True


class ABC:
    @classmethod
    def __init_subclass__(cls, **kwargs):
        missing = {}
        for base in reversed(cls.__mro__):
            for name, item in base.__dict__.items():
                inner = getattr(item, "fget", None) or getattr(item, "__func__", None) or item
                if getattr(inner, "__isabstractmethod__", False) is True:
                    missing[name] = True
                else:
                    missing.pop(name, None)
        cls.__abstractmethods__ = frozenset(missing)

    def __new__(cls, *args, **kwargs):
        missing = sorted(getattr(cls, "__abstractmethods__", ()))
        if missing:
            raise TypeError("Can't instantiate abstract class %s without an implementation for abstract method%s %s"
                            % (cls.__name__, "s" if len(missing) > 1 else "", ", ".join(map(repr, missing))))
        return object.__new__(cls)

    @classmethod
    def register(cls, subclass):
        return subclass
