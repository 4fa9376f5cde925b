# Decorators of a rule are called with the function that stands for it.
top = []


def toplevel(function):
    top.append(function.__name__[len("__rule_"):])
    return function


def twice(n):
    def decorate(function):
        print("decorated", n, function.__name__)
        return toplevel(function)
    return decorate


@toplevel
rule all:
    input: "a.txt"


@toplevel
@twice(2)
checkpoint a:
    output: "a.txt"
    shell: "touch {output}"


@toplevel
rule:
    output: "b.txt"
    shell: "touch {output}"


print(top)
# expect: decorated 2 __rule_a
# expect: ['all', 'a', 'a', '30']
# expect: checkpoint a:
