# SPDX-License-Identifier: MIT
# types: the types that have no name among the builtins.
import sys as _sys

FunctionType = LambdaType = type(lambda: None)
CodeType = type((lambda: None).__code__)
GeneratorType = type((lambda: (yield))())
BuiltinFunctionType = BuiltinMethodType = type(len)
ModuleType = type(_sys)
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)
GenericAlias = type(list[int])
UnionType = type(int | str)
MappingProxyType = type(type.__dict__)


try:
    raise TypeError
except TypeError as _error:
    TracebackType = type(_error.__traceback__)
    FrameType = type(_error.__traceback__.tb_frame)


class _C:
    def method(self):
        pass


MethodType = type(_C().method)


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)

    def __repr__(self):
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        return "%s(%s)" % (name, ", ".join("%s=%r" % pair for pair in self.__dict__.items()))

    def __eq__(self, other):
        return self.__dict__ == other.__dict__ if isinstance(other, SimpleNamespace) else NotImplemented


def new_class(name, bases=(), kwds=None, exec_body=None):
    body = {}
    if exec_body is not None:
        exec_body(body)
    return type(name, bases, body)
