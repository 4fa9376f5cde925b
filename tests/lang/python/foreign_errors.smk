# Exceptions cross both ways and are caught by their classes on either side.
import sqlite3
from fractions import Fraction
from xml.etree.ElementTree import ParseError, fromstring

try:
    Fraction(1, 0)
except ZeroDivisionError as e:
    print("caught", repr(e), e.args)
try:
    sqlite3.connect(":memory:").execute("select nothing")
except sqlite3.OperationalError as e:
    print(type(e).__name__, e, isinstance(e, sqlite3.Error), isinstance(e, Exception), e.sqlite_errorname)
try:
    fromstring("<a>")
except SyntaxError as e:
    print(isinstance(e, ParseError), e, e.position, e.code)
try:
    try:
        fromstring("<b>")
    except (KeyError, ParseError) as e:
        raise RuntimeError("wrapped") from e
except RuntimeError as e:
    print(e, "from", type(e.__cause__).__name__)


class Own(ParseError):
    pass


try:
    raise Own("mine")
except ParseError as e:
    print("own", e, type(e).__name__)
try:
    raise sqlite3.IntegrityError("made here")
except sqlite3.DatabaseError as e:
    print("raised", e)


class Stop(Exception):
    pass


# Through python3 and back: sorted there calls our function, which raises.
import pkgutil

heapq = pkgutil.resolve_name("heapq")  # python3's own


def key(x):
    if x == 2:
        raise Stop("at", x)
    if x == 5:
        raise KeyError("five")
    return x


for numbers in ([3, 2, 1], [5, 4], [1, 3]):
    try:
        print(heapq.nlargest(2, numbers, key=key))
    except Stop as e:
        print("stopped", e.args, type(e) is Stop)
    except LookupError as e:
        print("lookup", repr(e))
try:
    open("/nonexistent/file")
    Fraction("x")
except FileNotFoundError as e:
    print(e.errno, e.filename)
try:
    import no_such_module_anywhere
except ImportError as e:
    print(type(e).__name__, e)
try:
    from fractions import nothing
except ImportError as e:
    print("ImportError")
try:
    Fraction(1).nothing
except AttributeError as e:
    print(e)
try:
    Fraction(1) + "x"
except TypeError as e:
    print(e)
try:
    len(Fraction(1))
except TypeError as e:
    print(e)

# expect: caught ZeroDivisionError('Fraction(1, 0)') ('Fraction(1, 0)',)
# expect: OperationalError near "nothing": syntax error True True SQLITE_ERROR
# expect: True no element found: line 1, column 3 (1, 3) 3
# expect: wrapped from ParseError
# expect: own mine Own
# expect: raised made here
# expect: stopped ('at', 2) True
# expect: lookup KeyError('five')
# expect: [3, 1]
# expect: 2 /nonexistent/file
# expect: ModuleNotFoundError No module named 'no_such_module_anywhere'
# expect: ImportError
# expect: 'Fraction' object has no attribute 'nothing'
# expect: unsupported operand type(s) for +: 'Fraction' and 'str'
# expect: object of type 'Fraction' has no len()
