# SPDX-License-Identifier: MIT
"""What python3 runs when a Snakefile imports something that the evaluator does not have (foreign_link.c starts it).
What it can be asked for follows in _foreign_asked.py.

It keeps the objects that were asked for and does with them what it is told. Both sides talk over one socket, and only
one of them at a time; a message is

    8 bytes   little-endian: the length of the rest, and in the highest byte what it is (ASK, ANSWER, FAILED, more bits)
    rest      a value as marshal (version 2) writes it

An ASK is (what to do, number of an object or 0, further arguments...); it is answered by ANSWER with a value or FAILED
with what is known of an exception. While one side works on what it was asked it may ask the other.

What marshal cannot write stands as a tuple that begins with an Ellipsis; see pack() and unpack()."""
import builtins
import itertools
import marshal
import operator
import os
import signal
import sys
import threading
import time
from collections import defaultdict
from functools import partial
from importlib import import_module

ASK, ANSWER, FAILED, KIND = 0, 1, 2, 3
MARKED, RELEASES, NOTES = 4, 8, 16  # has marked tuples; is (released, borrowed, changes, value); is (value, notes)
HANDLE, NATIVE, BUILTIN, BUILD, ESCAPED, NAMEDTUPLE, LEASE, SHARED_ONE, SAME, LOAN = range(10)  # behind the Ellipsis
READ_SIZE = 1 << 16
BATCH, BATCH_S = 256, 0.002  # items that are handed over together at most, and the time to collect them

# ---- objects of this side ----

objects = [None]  # by number
counts = [0]  # how often each was handed over and not yet given back
numbers = {}  # id of an object -> its number
vacant = []
kinds = {}  # class -> its number
kind_list = [None]


def keep(x):
    """The number of an object, which stays until it was given back as often."""
    n = numbers.get(id(x))
    if n is None:
        if vacant:
            n = vacant.pop()
            objects[n] = x
            counts[n] = 0
        else:
            n = len(objects)
            objects.append(x)
            counts.append(0)
        numbers[id(x)] = n
    counts[n] += 1
    return n


def give_back(released):
    for i in range(0, len(released), 2):
        n = released[i]
        counts[n] -= released[i + 1]
        if not counts[n]:
            del numbers[id(objects[n])]
            objects[n] = None
            vacant.append(n)


# What a class can do, a bit each: see enum foreign_can in foreign.h.
SPECIALS = ("__call__", "__len__", "__bool__", "__getitem__", "__setitem__", "__contains__", "__iter__", "__next__")


def has(kind, name):
    """Whether objects of a class have a method, whatever the class itself has."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None) is not None


def abilities(kind):
    can = sum(1 << i for i, name in enumerate(SPECIALS) if has(kind, name))
    if issubclass(kind, type):
        can |= 8 | 1 << len(SPECIALS)
    if issubclass(kind, BaseException):
        can |= 2 << len(SPECIALS)
    return can


def kind_of(kind):
    """(number,), and all that is to be known of the class the first time."""
    n = kinds.get(kind)
    if n is not None:
        return (n,)
    n = kinds[kind] = len(kind_list)
    kind_list.append(kind)
    return n, str(kind.__module__), str(kind.__qualname__), abilities(kind)


# ---- values for the other side ----

leases = {}  # see leased()
lease_numbers = {}  # id of a copy -> its number
SCALARS = frozenset((type(None), bool, int, float, str, bytes, complex))
SHARED_TYPES = {
    name: getattr(builtins, name)
    for name in "bool int float complex str bytes list tuple dict set frozenset range slice object type".split()
}
SHARED = {id(x): name for name, x in SHARED_TYPES.items()}
SHARED.update(
    (id(x), name) for name, x in vars(builtins).items() if isinstance(x, type) and issubclass(x, BaseException)
)
ROW = frozenset(vars(__import__("collections").namedtuple("Row", ())))  # what every namedtuple has


def parts_of(x, kind):
    """What a container holds, as iterables."""
    return (x, x.values()) if kind is dict else (x,)


def is_plain(x, met):
    """Whether marshal writes it, and reads the same; met: ids of the lists, dicts and sets that were there before."""
    kind = type(x)
    if kind in SCALARS:
        return True
    if leases and id(x) in lease_numbers:
        return False
    if kind is list or kind is dict or kind is set:
        if id(x) in met:
            return False
        met.add(id(x))
    elif kind is tuple and x and x[0] is ...:
        return False
    elif kind is not tuple and kind is not frozenset:
        return False
    return all(
        SCALARS.issuperset(map(type, items)) or all(map(is_plain, items, itertools.repeat(met)))
        for items in parts_of(x, kind)
    )


def find_repeated(x, met, found):
    """Notes in found the ids of the lists, dicts and sets that stand more than once in a value."""
    kind = type(x)
    if kind is list or kind is dict or kind is set:
        if id(x) in met:
            found[id(x)] = None
            return
        met.add(id(x))
    elif kind is not tuple and kind is not frozenset:
        return
    for items in parts_of(x, kind):
        if not SCALARS.issuperset(map(type, items)):
            for item in items:
                find_repeated(item, met, found)


def pack_row(x):
    """A namedtuple without methods of its own; None for any other tuple."""
    kind = type(x)
    fields = getattr(kind, "_fields", None)
    if kind.__bases__ != (tuple,) or not isinstance(fields, tuple) or not ROW.union(fields).issuperset(vars(kind)):
        return None
    known = kind in kinds
    about = kind_of(kind)
    return (..., NAMEDTUPLE, about[0], None if known else (kind.__name__, fields), tuple(map(pack, x)))


def build_path(x):
    return "pathlib", "Path", (str(x),)


def build_pure_path(x):
    return "pathlib", "PurePosixPath", (str(x),)


def build_range(x):
    return "builtins", "range", (x.start, x.stop, x.step)


def build_slice(x):
    return "builtins", "slice", (pack(x.start), pack(x.stop), pack(x.step))


def build_ordered(x):
    return "collections", "OrderedDict", (tuple((pack(k), pack(v)) for k, v in x.items()),)


def build_date(x):
    return "datetime", "date", (x.year, x.month, x.day)


def build_datetime(x):
    fields = (x.year, x.month, x.day, x.hour, x.minute, x.second, x.microsecond)
    if x.tzinfo is None:
        return "datetime", "datetime", fields
    return "datetime", "_aware", (*fields, pack(x.tzinfo), x.fold)


def build_timezone(x):
    offset, *name = x.__getinitargs__()  # a name only where one was given
    return "datetime", "timezone", (pack(offset), *name)


def build_timedelta(x):
    return "datetime", "timedelta", (x.days, x.seconds, x.microseconds)


# (module, class) -> how it is made anew on the other side
BUILDERS = {
    ("pathlib", "PosixPath"): build_path,
    ("pathlib._local", "PosixPath"): build_path,
    ("pathlib", "PurePosixPath"): build_pure_path,
    ("pathlib._local", "PurePosixPath"): build_pure_path,
    ("builtins", "range"): build_range,
    ("builtins", "slice"): build_slice,
    ("collections", "OrderedDict"): build_ordered,
    ("datetime", "date"): build_date,
    ("datetime", "datetime"): build_datetime,
    ("datetime", "timedelta"): build_timedelta,
    ("datetime", "timezone"): build_timezone,
}


def pack_object(x, kind):
    if x is ...:
        return (..., BUILTIN, "Ellipsis")
    if issubclass(kind, Native):
        return (..., NATIVE, native_number(x))
    if id(x) in SHARED:
        return (..., BUILTIN, SHARED[id(x)])
    if issubclass(kind, str) and type(kind) is type:
        return str.__str__(x)
    if issubclass(kind, tuple):
        row = pack_row(x)
        if row:
            return row
    builder = BUILDERS.get((kind.__module__, kind.__name__))
    built = builder(x) if builder else None
    if built:
        return (..., BUILD, *built)
    return (..., HANDLE, keep(x), *kind_of(kind))


repeated = {}  # while a value is packed: id of what stands in it more than once -> its number, None before it has one
repeated_numbers = itertools.count()  # the next one


def pack_repeated(x, kind):
    number = repeated[id(x)]
    if number is not None:
        return (..., SAME, number)
    number = repeated[id(x)] = next(repeated_numbers)
    return (..., SHARED_ONE, number, pack_items(x, kind))


def pack_items(x, kind):
    if kind is list:
        return list(map(pack, x))
    if kind is dict:
        return {pack(k): pack(v) for k, v in x.items()}
    return kind(map(pack, x))


def pack(x):
    """The same for marshal: plain values as they are, what holds others as a copy, anything else marked."""
    kind = type(x)
    if kind in SCALARS:
        return x
    if kind is tuple:
        items = tuple(map(pack, x))
        return (..., ESCAPED, *items[1:]) if x and x[0] is ... else items
    if leases and id(x) in lease_numbers:
        return (..., LEASE, lease_numbers[id(x)])
    if repeated and id(x) in repeated:
        return pack_repeated(x, kind)
    if lending and id(x) in lending:
        return pack_loan(x, kind)
    if kind is list or kind is dict or kind is set or kind is frozenset:
        return pack_items(x, kind)
    return pack_object(x, kind)


lending = {}  # while a value is packed: what in it is lent, by id
loans = {}  # number -> (a container, what was in it): the other side has not said yet by which number it is leased
loan_numbers = itertools.count()


def pack_loan(x, kind):
    del lending[id(x)]
    now, values = contents(x)
    items = now if values is None else list(itertools.chain.from_iterable(zip(now, values)))
    packed = list(map(pack, items))
    number = next(loan_numbers) & 0xFFFFFF
    loans[number] = x, (now, values)
    return (..., LOAN, number, KINDS.index(kind), packed)


# ---- values from the other side ----


def aware_datetime(*args):
    return import_module("datetime").datetime(*args[:8], fold=args[8])


def make(name, args):
    module, _, attribute = name.rpartition(".")
    return (getattr(import_module(module), attribute) if module else globals()[attribute])(*args)


def unpack_marked(x):
    what = x[1]
    if what == HANDLE:
        return objects[x[2]]
    if what == NATIVE:
        return native(*x[2:])
    if what == BUILTIN:
        return getattr(builtins, x[2])
    if what == BUILD:
        return make(x[2], map(unpack, x[3]))
    if what == NAMEDTUPLE:
        return kind_list[x[2]](*map(unpack, x[3]))
    if what == LEASE:
        return leased(x[2], x[3])
    return (..., *map(unpack, x[2:]))


def unpack(x):
    kind = type(x)
    if kind in SCALARS:
        return x
    if kind is tuple:
        return unpack_marked(x) if x and x[0] is ... else tuple(map(unpack, x))
    if kind is list:
        x[:] = map(unpack, x)
        return x
    if kind is dict:
        return {unpack(k): unpack(v) for k, v in x.items()}
    return kind(map(unpack, x))


# ---- lists, dicts and sets of the other side that were handed over ----
# They are copies which both sides keep equal for as long as somebody here has them: before a message is sent it is
# looked what was changed. leases: number -> [the copy, what was in it when both sides last agreed, None while it is
# filled]
# While a call is made all are looked at when it begins and ends, and the small ones, if they are few, when it calls
# back.
# What is kept behind a call stays one with the original only if it is not much.
# Those of this side are lent in the same way when they are asked for as attributes or items of objects and are small.
FEW, KEPT = 256, 4096
KINDS = list, dict, set, defaultdict


def contents(x):
    return (list(x), list(x.values())) if isinstance(x, dict) else (list(x), None)


def same(a, b):
    return len(a) == len(b) and all(map(operator.is_, a, b))


def leased(number, filling):
    """The copy of a container: filled anew if there is a filling."""
    if filling is None:
        return leases[number][0]
    kind, marked, items = filling
    if number in leases:
        x = leases[number][0]
    else:
        x = KINDS[kind]()
        leases[number] = [x, None]
        lease_numbers[id(x)] = number
    fill(x, map(unpack, items) if marked else items)
    leases[number][1] = contents(x)
    return x


def lent_with(x):
    """A container of this side and those in it, by id, if they are to be lent."""
    found, todo = {}, [x]
    room = KEPT // 4 - sum(len(lease[0]) for lease in leases.values())
    while todo:
        x = todo.pop()
        if type(x) not in KINDS[:3] or id(x) in lease_numbers or id(x) in found:
            continue
        found[id(x)] = x
        room -= len(x)
        if room < 0 or len(leases) + len(found) > FEW // 2:
            return {}
        todo.extend(x.values() if type(x) is dict else x)
    return found


def begin_leases(borrowed):
    for i in range(0, len(borrowed), 2):
        x, agreed = loans.pop(borrowed[i], (None, None))
        if agreed:
            leases[borrowed[i + 1]] = [x, agreed]
            lease_numbers[id(x)] = borrowed[i + 1]


def fill(x, items):
    if type(x) is list:
        x[:] = items
    elif isinstance(x, dict):
        items = iter(list(items))
        if type(x) is defaultdict:
            x.default_factory = next(items)
        x.clear()
        x.update(zip(items, items))
    else:
        items = list(items)
        x.clear()
        x.update(items)


def changed_leases(all_of_them):
    """[number, items, ...] of what was changed here since both sides agreed."""
    changes = []
    if not all_of_them and len(leases) > FEW:
        return changes
    for number, lease in leases.items():
        x, agreed = lease
        if agreed is None or not all_of_them and len(x) > FEW:
            continue
        keys, values = agreed
        now, now_values = contents(x)
        if not same(keys, now) or values is not None and not same(values, now_values):
            lease[1] = now, now_values
            if now_values is not None:
                now = list(itertools.chain.from_iterable(zip(now, now_values)))
            changes += number, list(map(pack, now))
    return changes


def ended_leases():
    """What nobody here has any more."""
    ended = []
    while True:
        unused = [number for number, lease in leases.items() if sys.getrefcount(lease[0]) <= 2]
        for number in unused:
            del lease_numbers[id(leases.pop(number)[0])]
        ended += unused
        if not unused:
            break
    if len(leases) > FEW or sum(len(lease[0]) for lease in leases.values()) > KEPT:
        ended += leases
        leases.clear()
        lease_numbers.clear()
    return ended


# ---- objects of the other side ----

NAT_CALL, NAT_GETATTR, NAT_SETATTR, NAT_GETITEM, NAT_SETITEM, NAT_DELITEM, NAT_LEN, NAT_ITER, NAT_NEXT = range(9)
NAT_CONTAINS, NAT_REPR, NAT_STR, NAT_TRUTH, NAT_HASH, NAT_COMPARE, NAT_BINARY, NAT_UNARY = range(9, 17)
NAT_FORMAT, NAT_PARAMS, NAT_NAME = range(17, 20)
returned = []  # numbers of objects of the other side that nobody here has any more
known = {}  # number -> weak reference to the object here


class Native:
    """An object of the Snakefile. What can be done with it depends on its class there: see native_class."""

    __slots__ = ("_number", "__weakref__")

    def __getattr__(self, name):
        if name == "__signature__":
            return signature_of(ask(NAT_PARAMS, self))
        return ask(NAT_GETATTR, self, name)

    def __setattr__(self, name, value):
        ask(NAT_SETATTR, self, name, value)

    def __repr__(self):
        return ask(NAT_REPR, self)

    def __str__(self):
        return ask(NAT_STR, self)

    def __format__(self, spec):
        return ask(NAT_FORMAT, self, spec)

    def __bool__(self):
        return ask(NAT_TRUTH, self)

    def __hash__(self):
        return hash(ask(NAT_HASH, self))

    def __del__(self):
        returned.append(native_number(self))

    def __reduce_ex__(self, protocol):
        made = importable(self)
        if not made:
            raise TypeError("an object of the Snakefile cannot be copied into another process: %r" % self)
        return made


native_number = Native._number.__get__


class ModuleReference:
    """Another process gets the module of that name."""

    def __init__(self, name):
        self.name = name

    def __reduce__(self):
        return import_module, (self.name,)


def importable(x):
    """How another process gets a function or class of a local module that can be imported there, too, or a partial."""
    if type(x).__name__ == "functools.partial":
        return partial, (x.func,), (x.func, tuple(x.args), dict(x.keywords), None)
    if type(x).__name__ not in ("function", "type"):
        return None
    module, name = x.__getattr__("__module__"), x.__getattr__("__qualname__")
    get = operator.attrgetter(name)
    try:
        get(import_module(module))
    except (ImportError, AttributeError):
        return None
    return get, (ModuleReference(module),)


def signature_of(parameters):
    """What inspect.signature() gives, from (name, kind) or (name, kind, default) of each."""
    import inspect

    kinds = list(inspect._ParameterKind)
    return inspect.Signature(
        inspect.Parameter(name, kinds[kind], default=default[0] if default else inspect.Parameter.empty)
        for name, kind, *default in sorted(parameters, key=operator.itemgetter(1))
    )


def compare_method(op):
    return lambda self, other: ask(NAT_COMPARE, self, op, other)


def binary_method(op, reflected):
    if reflected:
        return lambda self, other: ask(NAT_BINARY, self, op, other, True)
    return lambda self, other: ask(NAT_BINARY, self, op, other, False)


ARITHMETIC = "add sub mul truediv floordiv mod pow matmul lshift rshift and or xor".split()
COMPARISONS = "eq ne lt le gt ge".split()
for i, name in enumerate(COMPARISONS):
    setattr(Native, f"__{name}__", compare_method(i))
for i, name in enumerate(ARITHMETIC):
    setattr(Native, f"__{name}__", binary_method(i, False))
    setattr(Native, f"__r{name}__", binary_method(i, True))


def items_of(self):
    iterator = ask(NAT_ITER, self)
    while True:
        batch = ask(NAT_NEXT, iterator)
        if not batch:
            return
        yield from batch


def missing(self, key, default=None):
    try:
        return self[key]
    except KeyError:
        return default


# By the bits of enum native_can in foreign.h.
METHODS = (
    {"__call__": lambda self, *args, **kwargs: ask(NAT_CALL, self, args, kwargs)},
    {"__len__": lambda self: ask(NAT_LEN, self)},
    {"__getitem__": lambda self, key: ask(NAT_GETITEM, self, key)},
    {
        "__setitem__": lambda self, key, value: ask(NAT_SETITEM, self, key, value),
        "__delitem__": lambda self, key: ask(NAT_DELITEM, self, key),
    },
    {"__iter__": items_of, "__contains__": lambda self, item: ask(NAT_CONTAINS, self, item)},
    {"__next__": lambda self: next_item(self)},
    {"get": missing},  # a mapping
    {"__enter__": lambda self: self.__getattr__("__enter__")(),
     "__exit__": lambda self, kind, error, trace: self.__getattr__("__exit__")(kind, error, None)},
    {"__fspath__": lambda self: ask(NAT_STR, self)},
)
COROUTINE = {  # what makes it one for asyncio, too
    "send": lambda self, value: self.__getattr__("send")(value),
    "throw": lambda self, *error: self.__getattr__("throw")(*error),
    "close": lambda self: self.__getattr__("close")(),
    "__await__": lambda self: self,
    "__next__": lambda self: self.send(None),
}
native_classes = {}


def next_item(iterator):
    batch = ask(NAT_NEXT, iterator, 1)
    if not batch:
        raise StopIteration
    return batch[0]


def native_class(can, name):
    """A class that has the methods which the object has over there, so that callable() and its like are right."""
    made = native_classes.get((can, name))
    if not made:
        members = {"__slots__": (), "__module__": "Snakefile"}
        members["__doc__"] = property(lambda self: self.__getattr__("__doc__"))
        for i, methods in enumerate(METHODS):
            if can >> i & 1:
                members.update(methods)
        if name == "coroutine":
            members.update(COROUTINE)
        if name in ("function", "type", "builtin_function_or_method"):  # a copy is itself
            members["__copy__"] = members["__deepcopy__"] = lambda self, memo=None: self
        made = native_classes[can, name] = type(name, (Native,), members)
        if "get" in members:
            import collections.abc

            collections.abc.MutableMapping.register(made)
    return made


def native(number, can, name):
    reference = known.get(number)
    x = reference and reference()
    if x is None:
        x = object.__new__(native_class(can, name))
        object.__setattr__(x, "_number", number)
        known[number] = weakref(x)
    else:
        returned.append(number)  # handed over once more, kept once
    return x


weakref = import_module("weakref").ref

# ---- the wire ----

wire = None
home = os.getpid()
talking = threading.Condition()  # held by whoever may read and write; free while a request is being worked on
requests = []  # what threads work on: the other side waits for the last one's answer
working = 0  # whether Ctrl-C may end something
depth = 0  # requests in the midst of which we are
notes = []  # changes of the environment that the other side has not heard of
stray = False  # in a process forked off this one


def receive():
    data = os.read(wire, READ_SIZE)
    while len(data) < 8:
        more = os.read(wire, READ_SIZE)
        if not more:
            leave()
        data += more
    head = int.from_bytes(data[:8], "little")
    length = (head & (1 << 56) - 1) + 8
    if len(data) < length:
        data = bytearray(data)
        while len(data) < length:
            more = os.read(wire, min(length - len(data), 1 << 24))
            if not more:
                leave()
            data += more
    return head >> 56, marshal.loads(memoryview(data)[8:])


def opened(flags, message):
    """What a message says. To put things into dicts and sets the other side may be asked for their hashes."""
    global depth
    depth += 1
    try:
        if flags & RELEASES:
            released, borrowed, changes, message = message
            give_back(released)
            begin_leases(borrowed)
            for i in range(0, len(changes), 2):
                leased(changes[i], changes[i + 1])
        return unpack(message) if flags & MARKED else message
    finally:
        depth -= 1


def send(flags, x):
    global repeated_numbers
    if not lending and is_plain(x, set()):
        data = x
    else:
        flags |= MARKED
        find_repeated(x, set(), repeated)
        repeated_numbers = itertools.count()
        try:
            data = pack(x)
        finally:
            repeated.clear()
            lending.clear()
    transmit(flags, data)


def transmit(flags, data):
    if returned or notes or leases:
        over = flags & KIND and not depth  # the outermost call
        changes = changed_leases(over) if leases else []
        ended = ended_leases() if over and leases else []
        about = (returned[:], notes[:], changes, ended)
        if any(about):
            data = (data, about)
            flags |= NOTES
            del returned[: len(about[0])], notes[: len(about[1])]
    data = marshal.dumps(data, 2)
    data = (len(data) | flags << 56).to_bytes(8, "little") + data
    try:
        sys.stdout.flush()
    except Exception:
        pass
    written = os.write(wire, data)
    if written < len(data):
        rest = memoryview(data)
        while written < len(data):
            written += os.write(wire, rest[written : written + (1 << 20)])


def make_sure_of_room(frames):
    """Raises RecursionError before a question is sent rather than before its answer is read."""
    if frames:
        make_sure_of_room(frames - 1)


def ask(what, target, *args):
    """Has the other side do something with one of its objects."""
    global working
    if stray:
        raise RuntimeError("an object of the Snakefile cannot be used in another process")
    make_sure_of_room(16)
    with talking:
        outer, working = working, 0
        try:
            send(ASK, (what, 0 if target is None else native_number(target), *args))
            return serve()
        finally:
            working = outer


def serve():
    """Does what it is asked to do until an answer comes."""
    while True:
        flags, message = receive()
        kind = flags & KIND
        try:
            message = opened(flags, message)
        except BaseException as error:
            if kind != ASK:
                raise
            send(FAILED, describe(error))
            continue
        if kind == ANSWER:
            return message
        if kind == FAILED:
            raise exception_of(*message)
        request = [message]
        del message  # so that it counts as used only while it is
        work(request)


def work(request):
    global working, depth
    mine = object()
    requests.append(mine)
    talking.release()
    depth += 1
    try:
        what, target, *rest = request.pop()
        working += 1
        if target:
            result = OPERATIONS[what](objects[target], *rest)
        else:
            result = OPERATIONS[what](*rest)
        flags = ANSWER
        if type(result) in KINDS and what in LENDING:
            lending.update(lent_with(result))
    except BaseException as error:
        result = describe(error)
        flags = FAILED
        error.__traceback__ = None
    finally:
        working -= 1
        depth -= 1
        rest = None
        talking.acquire()
        while requests[-1] is not mine:
            talking.wait()
        requests.pop()
        talking.notify_all()
    try:
        send(flags, result)
    except (ValueError, RecursionError) as error:
        send(FAILED, describe(error))


def leave():
    """The other side has ended."""
    import atexit

    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
    finally:
        os._exit(0)
