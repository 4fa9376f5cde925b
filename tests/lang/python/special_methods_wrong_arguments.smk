# Special methods that are called by name with what they are not for raise; so do values without a repr.
def tried(act, *args):
    try:
        return act(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


class Mute:
    def __repr__(self):
        return None


print(tried(int.__new__, str), "|", tried(float.__new__, dict), "|", tried(object.__new__, int))  # expect: TypeError: int.__new__(str): str is not a subtype of int | TypeError: float.__new__(dict): dict is not a subtype of float | TypeError: object.__new__(int) is not safe, use int.__new__()
print(tried("a".__format__, 5), "|", tried((1.5).__format__, []), "|", tried(1j.__format__, b""))  # expect: TypeError: __format__() argument must be str, not int | TypeError: __format__() argument must be str, not list | TypeError: __format__() argument must be str, not bytes
print(tried(Mute().__setattr__, 5, 1), "|", tried(Mute().__delattr__, 5))  # expect: TypeError: attribute name must be string, not 'int' | TypeError: attribute name must be string, not 'int'
print(tried(repr, slice(Mute(), Mute(), Mute())), "|", tried(repr, [Mute(), Mute()]))  # expect: TypeError: __repr__ returned non-string (type NoneType) | TypeError: __repr__ returned non-string (type NoneType)
