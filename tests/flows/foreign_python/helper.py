async def unused():
    """So that the evaluator leaves this file to python3."""


def inner(x):
    raise ValueError("no good: " + x)


def outer(x):
    return inner(x)


def show(text):
    print(text)
