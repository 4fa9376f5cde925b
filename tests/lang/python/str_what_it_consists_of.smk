# What a text consists of, beyond ASCII; casefold; searches from the end.
def tried(act, *args):
    try:
        return act(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def told(word):
    names = ["isdecimal", "isdigit", "isnumeric", "isprintable", "isascii", "istitle"]
    return word.casefold(), *(name[2:] for name in names if getattr(word, name)())


print(told("Straße"), told("ǅ"), told("Hello World"), told("hello World"))  # expect: ('strasse', 'printable', 'title') ('ǆ', 'printable', 'title') ('hello world', 'printable', 'ascii', 'title') ('hello world', 'printable', 'ascii')
print(told(""), told("Ⅷ"), told("²"), told("½"), told("٣"), told("\n"), told("They're"))  # expect: ('', 'printable', 'ascii') ('ⅷ', 'numeric', 'printable', 'title') ('²', 'digit', 'numeric', 'printable') ('½', 'numeric', 'printable') ('٣', 'decimal', 'digit', 'numeric', 'printable') ('\n', 'ascii') ("they're", 'printable', 'ascii')
s = "abcabc"
print(s.rindex("b"), s.rindex("b", 0, 3), tried(s.rindex, "x"), s.rfind("b", -3), s.rfind(""))  # expect: 4 1 ValueError: substring not found 4 6
print(str(b"abc", "ascii"), str(b"\xff", "utf-8", "replace"), str(b"\xe9", "latin1"))  # expect: abc � é
print(str(object=b"x", encoding="utf8"), tried(str, b"\xff", "ascii"), tried(str, "a", "utf-8"))  # expect: x UnicodeDecodeError: 'ascii' codec can't decode byte 0xff in position 0: ordinal not in range(128) TypeError: decoding str is not supported
print(tried(str, 1, "utf-8"), tried(str, b"a", "nope"))  # expect: TypeError: decoding to str: need a bytes-like object, int found LookupError: unknown encoding: nope
