# SPDX-License-Identifier: MIT
# copy.

_atoms = {type(None), int, float, bool, complex, str, bytes, range, type, type(...), type(NotImplemented),
          type(lambda: None), type(len), property}


class Error(Exception):
    pass


error = Error


def _state_of(x):
    return getattr(x, "__dict__", None)


def copy(x):
    cls = type(x)
    if cls in _atoms or cls is tuple or cls is frozenset or isinstance(x, type):
        return x
    if cls in (list, dict, set):
        return x.copy()
    hook = getattr(cls, "__copy__", None)
    if hook is not None:
        return hook(x)
    made = _empty(x, lambda item: item)
    if made is None:
        return x
    state = _state_of(x)
    if state:
        made.__dict__.update(state)
    return made


def _empty(x, copied):
    """An instance of x's class with its items, but without its attributes."""
    cls = type(x)
    if isinstance(x, tuple):
        return tuple.__new__(cls, tuple(copied(item) for item in x))
    if isinstance(x, (str, int, float, bytes, BaseException)):
        if isinstance(x, BaseException):
            return cls(*copied(list(x.args)))
        return None
    try:
        made = cls.__new__(cls)
    except TypeError:
        return None
    if isinstance(x, dict):
        for key, item in x.items():
            dict.__setitem__(made, key, copied(item))
    elif isinstance(x, list):
        made.extend([copied(item) for item in x])
    elif isinstance(x, set):
        made.update([copied(item) for item in x])
    return made


def deepcopy(x, memo=None, _nil=[]):
    cls = type(x)
    if cls in _atoms or isinstance(x, type):
        return x
    if memo is None:
        memo = {}
    key = id(x)
    if key in memo:
        return memo[key]
    if cls is list:
        made = memo[key] = []
        for item in x:
            made.append(deepcopy(item, memo))
    elif cls is dict:
        made = memo[key] = {}
        for name, item in x.items():
            made[deepcopy(name, memo)] = deepcopy(item, memo)
    elif cls is tuple:
        items = [deepcopy(item, memo) for item in x]
        made = x if all(a is b for a, b in zip(items, x)) else tuple(items)
        memo[key] = made
    elif cls in (set, frozenset):
        made = memo[key] = cls([deepcopy(item, memo) for item in x])
    else:
        made = memo[key] = _deep_object(x, memo)
    memo.setdefault(id(memo), []).append(x)
    return made


def _deep_object(x, memo):
    cls = type(x)
    hook = getattr(cls, "__deepcopy__", None)
    if hook is not None:
        return hook(x, memo)
    shallow = getattr(cls, "__copy__", None)
    if shallow is not None and not hasattr(x, "__dict__"):
        made = shallow(x)
        if isinstance(made, dict):
            for key, item in made.items():
                made[key] = deepcopy(item, memo)
            return made
        items = [deepcopy(item, memo) for item in made]
        made.clear()
        made.extend(items)
        return made
    made = _empty(x, lambda item: deepcopy(item, memo))
    if made is None:
        return x
    memo[id(x)] = made
    state = _state_of(x)
    if state:
        for name, item in state.items():
            made.__dict__[name] = deepcopy(item, memo)
    return made
