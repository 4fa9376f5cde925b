# What inspect says of classes and functions of the workflow: how helpers are collected and called.
import inspect
import os
from dataclasses import dataclass


@dataclass
class Unit:
    sample: str
    lane: int = 1

    def label(self, sep: str = "-") -> str:
        return f"{self.sample}{sep}{self.lane}"


def reads():
    yield 1


print(inspect.isclass(Unit), inspect.isclass(Unit("a")), inspect.ismodule(os), inspect.ismethod(Unit("a").label))
# expect: True False True True
print(inspect.isfunction(Unit.label), inspect.isgenerator(reads()), inspect.isroutine(len), inspect.isbuiltin(reads))
# expect: True True True False
print([name for name, _ in inspect.getmembers(Unit, inspect.isfunction) if name[0] != "_"])  # expect: ['label']
print([pair for pair in inspect.getmembers(Unit("a"), lambda m: not callable(m)) if pair[0][0] != "_"])
# expect: [('lane', 1), ('sample', 'a')]
row = {"sample": "A", "lane": 2, "other": 3}
print(Unit(**{k: v for k, v in row.items() if k in inspect.signature(Unit).parameters}))
# expect: Unit(sample='A', lane=2)
parameter = inspect.signature(Unit.label).parameters["sep"]
print(parameter.annotation, parameter.default, inspect.signature(Unit("a").label).return_annotation)
# expect: <class 'str'> - <class 'str'>
