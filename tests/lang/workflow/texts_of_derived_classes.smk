# What is put into a pattern or command is formatted: a member of an enumeration of texts by its name. A text among the
# params is the text itself, unless a function gave it.
# args: -n -p -c1
from enum import Enum


class Kind(str, Enum):
    A = "a"


class Own(str):
    def __format__(self, spec):
        return "formatted"


class Thing:
    def __format__(self, spec):
        return "thing"


K, O, T = Kind.A, Own("o"), Thing()
print(expand("{k}-{o}", k=[K], o=O), expand("{k.value}", k=K))  # expect: ['Kind.A-formatted'] ['a']


rule all:
    output: f"{K.value}.txt"
    params: k=K, o=O, t=[T, K], f=lambda wildcards: K
    shell: "echo {K} {O} {T} {params.k} {params.o} {params.t} {params.f} {params.k!r} > {output}"
    # expect: echo Kind.A formatted thing a o thing a Kind.A 'a' > a.txt
