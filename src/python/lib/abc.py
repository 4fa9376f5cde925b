# SPDX-License-Identifier: MIT
# abc: abstract methods are marked; a class that lacks some, which its metaclass ABCMeta finds, has no instances.


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


class abstractproperty(property):
    __isabstractmethod__ = True


def abstractclassmethod(callable):
    return classmethod(abstractmethod(callable))


def abstractstaticmethod(callable):
    return staticmethod(abstractmethod(callable))


def _is_abstract(item):
    inner = getattr(item, "fget", None) or getattr(item, "__func__", None) or item
    return getattr(inner, "__isabstractmethod__", False) is True or getattr(item, "__isabstractmethod__", False) is True


def _counts(cls, other):
    return issubclass(other, cls.__dict__["_abc_registry"]) or NotImplemented


class ABCMeta(type):
    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        names = [name for name, item in namespace.items() if _is_abstract(item)]
        inherited = [name for base in bases for name in getattr(base, "__abstractmethods__", ())]
        cls.__abstractmethods__ = frozenset(names + [name for name in inherited if _is_abstract(_found(cls, name))])
        return cls

    def register(cls, subclass):
        cls._abc_registry = cls.__dict__.get("_abc_registry", ()) + (subclass,)
        if "__subclasshook__" not in cls.__dict__:
            cls.__subclasshook__ = classmethod(_counts)
        return subclass


def _found(cls, name):
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]


class ABC(metaclass=ABCMeta):
    pass


def update_abstractmethods(cls):
    if isinstance(cls, ABCMeta):
        names = {name for base in cls.__mro__ for name in base.__dict__}
        cls.__abstractmethods__ = frozenset([name for name in names if _is_abstract(_found(cls, name))])
    return cls
