# A special method that is None, or that only the object has and not its class.
class Never:
    __radd__ = __iadd__ = __lt__ = __contains__ = __iter__ = __call__ = __getitem__ = __len__ = __bool__ = None
    __hash__ = __reversed__ = __neg__ = None
def tell(f):
    try:
        print(f())
    except TypeError as e:
        print(e)
never = Never()
tell(lambda: 1 + never) # expect: 'NoneType' object is not callable
tell(lambda: never + 1) # expect: unsupported operand type(s) for +: 'Never' and 'int'
tell(lambda: never < never) # expect: 'NoneType' object is not callable
tell(lambda: 1 in never) # expect: 'Never' object is not a container
tell(lambda: iter(never)) # expect: 'Never' object is not iterable
tell(lambda: reversed(never)) # expect: 'Never' object is not reversible
tell(lambda: hash(never)) # expect: unhashable type: 'Never'
tell(lambda: never()) # expect: 'NoneType' object is not callable
tell(lambda: never[0]) # expect: 'NoneType' object is not callable
tell(lambda: bool(never)) # expect: 'NoneType' object is not callable
tell(lambda: -never) # expect: 'NoneType' object is not callable

class Proxy:
    def __getattr__(self, name):
        return lambda *args: 1
proxy = Proxy()
tell(lambda: [4, 5][proxy]) # expect: list indices must be integers or slices, not Proxy
tell(lambda: range(proxy)) # expect: 'Proxy' object cannot be interpreted as an integer
tell(lambda: float(proxy)) # expect: float() argument must be a string or a real number, not 'Proxy'
tell(lambda: int(int)) # expect: int() argument must be a string, a bytes-like object or a real number, not 'type'
tell(lambda: (1, 2)[int]) # expect: tuple indices must be integers or slices, not type
